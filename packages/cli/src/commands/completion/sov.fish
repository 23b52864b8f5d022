# fish completion of sov. Load it with: sov completion fish | source
# or keep it: sov completion fish > ~/.config/fish/completions/sov.fish
set -g __sov_tree (string split \n -- @TREE@)

# Prints what the row of these three names holds.
function __sov_find
    set -l head (string escape --style=regex -- (string join \t -- $argv))
    string replace --filter --regex -- "^$head\t([^\t]*).*" '$1' $__sov_tree
end

function __sov_option -a at word
    __sov_find $at o $word; or __sov_find sov o $word; or echo -
end

function __sov_complete
    set -l tokens (commandline --tokenize --cut-at-cursor --current-process)
    set -l cur (commandline --current-token --cut-at-cursor)
    set -l at sov
    set -l wants -
    set -l place 0
    set -l given ''
    for word in $tokens[2..]
        if test "$wants" != -
            set wants -
        else if string match --quiet -- '--*=*' $word
            continue
        else if string match --quiet -- '-*' $word
            set wants (__sov_option $at $word)[1]
        else if set -l to (__sov_find $at c $word)
            set at $to[1]
            set place 0
        else
            set place (math $place + 1)
        end
    end
    if test "$wants" = -; and string match --quiet -- '--*=*' $cur
        set -l parts (string split --max 1 = -- $cur)
        set wants (__sov_option $at $parts[1])[1]
        set given "$parts[1]="
        set cur $parts[2]
    else if test "$wants" = -
        for row in $__sov_tree
            set -l field (string split \t -- $row)
            switch $field[2]
                case o
                    if string match --quiet -- '-*' $cur; and contains -- $field[1] $at sov
                        printf '%s\t%s\n' $field[3] $field[5]
                    end
                case c
                    if test $field[1] = $at; and test (string split ' ' -- $field[4])[-1] = $field[3]
                        printf '%s\t%s\n' $field[3] $field[5]
                    end
                case a
                    if test $field[1] = $at; and contains -- $field[3] $place '*'
                        set wants $field[4]
                    end
            end
        end
    end
    switch $wants
        case file
            __fish_complete_path $cur
        case dir
            __fish_complete_directories $cur ''
        case '=*'
            for word in (string split '|' -- (string sub --start 2 -- $wants))
                printf '%s\n' "$given$word"
            end
    end
end

complete --command sov --no-files --arguments '(__sov_complete)'
