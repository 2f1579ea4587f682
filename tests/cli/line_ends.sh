# SPDX-License-Identifier: Apache-2.0
#
# Lines end in LF or CR LF, also mixed, in every format: the same model and the same answers.
. "$TESTS/cli/common.bash"
printf 'x,c,class\n1.5,u,p\n2.5,"v w",q\n1.25,u,p\n2.75,v,q\n' >rows.csv
printf '{"x":1.5,"c":"u","class":"p"}\n{"x":2.5,"c":"v","class":"q"}\n{"x":1.25,"c":"u","class":"p"}\n' >rows.jsonl
printf '@relation r\n@attribute x real\n@attribute c {u,v}\n@attribute class {p,q}\n@data\n' >rows.arff
printf '1.5,u,p\n2.5,v,q\n{0 1.25}\n2.75,v,q\n' >>rows.arff
printf '1 1:2 3:1\n-1 2:1\n1 1:1 # c\n-1 2:3 3:1\n' >rows.svm
printf 'ham\tsee you there\nspam\twin a prize\nham\tsee you\nspam\ta prize\n' >rows.lines
formats='csv arff svm lines'
if ilk --version | grep -q jansson; then formats="$formats jsonl"; fi
for format in $formats; do
    ilk train -q --format $format rows.$format -o lf.bayes
    ilk predict -q --keep all --format $format lf.bayes rows.$format >lf.out
    for ends in '' '1~2' '2~2'; do      # all lines, the odd ones, the others
        sed "${ends}s/\$/\\r/" rows.$format >mixed
        ilk train -q --format $format mixed -o mixed.bayes
        cmp lf.bayes mixed.bayes || echo "$format, CR at [$ends]: another model"
        ilk predict -q --keep all --format $format lf.bayes mixed | cmp - lf.out
        ilk predict -q --keep all --format $format lf.bayes - <mixed | cmp - lf.out
    done
    wc -l <lf.out
done

# What stands in quotes is kept to the byte.
printf 'c,class\r\n"u\r\nv",p\nw,q\r\n"u\nv",q\n' >quoted.csv
ilk train -q --family c=categorical quoted.csv -o quoted.bayes
ilk inspect --json quoted.bayes | tr ',' '\n' | grep 'u\\' | sort -u
