#compdef sov
# zsh completion of sov. Write it as _sov into a folder of $fpath, or load it with: source <(sov completion zsh)
typeset -g __sov_tree=@TREE@

# Sets `value` to what the row of these three names holds, else to "-".
__sov_find() {
  local -a hit=("${(@M)rows:#"$1"$'\t'"$2"$'\t'"$3"$'\t'*}")
  value=-
  [[ -n $hit[1] ]] && value=${${(@ps:\t:)hit[1]}[4]}
}

_sov() {
  local at=sov wants=- value word cur=${(Q)words[CURRENT]} row
  local -i place=0 i
  local -a rows=("${(@f)__sov_tree}") field found
  for ((i = 2; i < CURRENT; i++)); do
    word=${(Q)words[i]}
    if [[ $wants != - ]]; then wants=-
    elif [[ $word == --*=* ]]; then continue
    elif [[ $word == -* ]]; then
      __sov_find $at o $word || __sov_find sov o $word
      wants=$value
    elif __sov_find $at c $word; then at=$value place=0
    else ((place += 1))
    fi
  done
  if [[ $wants == - && $cur == --*=* ]]; then
    __sov_find $at o ${cur%%=*} || __sov_find sov o ${cur%%=*}
    wants=$value
    compset -P '*='
  elif [[ $wants == - ]]; then
    for row in $rows; do
      field=("${(@ps:\t:)row}")
      word=${field[3]//:/\\:}:${field[5]}
      case $field[2] in
        o) [[ $cur == -* && ($field[1] == $at || $field[1] == sov) ]] && found+=("$word") ;;
        c) [[ $cur != -* && $field[1] == $at && $field[4] == *" $field[3]" ]] && found+=("$word") ;;
        a) [[ $cur != -* && $field[1] == $at && ($field[3] == $place || $field[3] == '*') ]] && wants=$field[4] ;;
      esac
    done
  fi
  case $wants in
    file) _files; return ;;
    dir) _files -/; return ;;
    '='*) compadd -- "${(@s:|:)wants#=}"; return ;;
  esac
  (($#found)) && _describe sov found
}

if [[ $funcstack[1] == _sov ]]; then _sov "$@"; else compdef _sov sov; fi
