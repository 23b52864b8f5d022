# bash completion of sov, for bash 3.2 and newer. Load it with: source <(sov completion bash)
__sov_tree=@TREE@

# Sets `value` to what the row of these three names holds, else to "-".
__sov_find() {
  local where kind word rest
  while IFS=$'\t' read -r where kind word value rest; do
    [[ $where == "$1" && $kind == "$2" && $word == "$3" ]] && return 0
  done <<< "$__sov_tree"
  value=-
  return 1
}

_sov() {
  local at=sov wants=- place=0 cur=${COMP_WORDS[COMP_CWORD]} value where kind word rest i
  local -a choices=()
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    if [[ $word == = ]]; then continue # readline splits --option=value into three words
    elif [[ $wants != - ]]; then wants=-
    elif [[ $word == -* ]]; then
      __sov_find "$at" o "$word" || __sov_find sov o "$word"
      wants=$value
    elif __sov_find "$at" c "$word"; then at=$value place=0
    else ((place += 1))
    fi
  done
  [[ $cur == = ]] && cur=
  if [[ $wants == - ]]; then
    while IFS=$'\t' read -r where kind word value rest; do
      case $kind in
        o) [[ $cur == -* && ($where == "$at" || $where == sov) ]] && choices+=("$word") ;;
        c) [[ $cur != -* && $where == "$at" && $value == *" $word" ]] && choices+=("$word") ;;
        a) [[ $cur != -* && $where == "$at" && ($word == "$place" || $word == '*') ]] && wants=$value ;;
      esac
    done <<< "$__sov_tree"
  fi
  case $wants in
    =*) IFS='|' read -r -a choices <<< "${wants#=}" ;;
    file | dir)
      compopt -o filenames 2> /dev/null
      kind=-f
      [[ $wants == dir ]] && kind=-d
      while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen "$kind" -- "$cur")
      return
      ;;
  esac
  for word in "${choices[@]}"; do
    [[ $word == "$cur"* ]] && COMPREPLY+=("$(printf %q "$word")")
  done
}

complete -F _sov sov
