# SPDX-License-Identifier: Apache-2.0
#
# Help, and what was meant by what was mistyped.
. "$TESTS/cli/common.bash"
run ilk help
run ilk help merge
run ilk predict --help
cmp <(ilk --help) <(ilk help) && cmp <(ilk -h) <(ilk help) && echo same
cmp <(ilk train -h) <(ilk help train) && echo same
ilk --version | sed -n '1p'
[ "$(ilk --version | wc -l)" = 2 ] || echo "version: not two lines"

fails ilk
fails ilk tarin
fails ilk foobar
fails ilk --versoin
fails ilk help inspct
fails ilk train --tagret y data.csv -o m.bayes
fails ilk train --no-heder data.csv
fails ilk train --xyzzy data.csv
fails ilk train -x data.csv
fails ilk predict --smooth 1 m.bayes data.csv
fails ilk train --smooth abc data.csv -o m.bayes
fails ilk train --smooth=-1 data.csv -o m.bayes
fails ilk train --smooth '' data.csv -o m.bayes
fails ilk train --smooth 1e999 data.csv -o m.bayes
fails ilk train --smooth nan data.csv -o m.bayes
fails ilk train data.csv -o m.bayes --smooth
fails ilk train data.csv -o
fails ilk train data.csv --output=
fails ilk train --model bayes data.csv -o m.bayes | sed 's/\(auto, nb, gaussian, \).*/\1.../'
fails ilk train --threads 0 data.csv -o m.bayes
fails ilk train --threads 1000000000000 data.csv -o m.bayes
fails ilk train --vocab -3 data.csv -o m.bayes
fails ilk train --min-docs 2.5 data.csv -o m.bayes
fails ilk train --ngrams 3-2 data.csv -o m.bayes
fails ilk train --ngrams 1-9 data.csv -o m.bayes
fails ilk train --ngrams two data.csv -o m.bayes
fails ilk train --family size data.csv -o m.bayes
fails ilk train --json=yes data.csv -o m.bayes
fails ilk train --quiet data.csv
fails ilk train -o m.bayes
fails ilk predict m.bayes
fails ilk inspect
fails ilk inspect a.bayes b.bayes
fails ilk help train predict
fails ilk help --man --completion bash
fails ilk help --completion zsh train
fails ilk --version 1
