# SPDX-License-Identifier: Apache-2.0
#
# r_cases.R FOLDER: golden files from MASS and e1071. test_golden.c says what their lines mean.
suppressPackageStartupMessages({
    library(MASS)
    library(e1071)
})
folder <- commandArgs(trailingOnly = TRUE)[1]
made_by <- sprintf("R %s, MASS %s, e1071 %s", getRversion(), packageVersion("MASS"), packageVersion("e1071"))
RNGkind("Mersenne-Twister", "Inversion", "Rejection")

number <- function(x) ifelse(is.na(x), "", sprintf("%.17g", x))
rows_of <- function(y, x) apply(cbind(as.character(y), sapply(x, function(v) if (is.numeric(v)) number(v) else {
    ifelse(is.na(v), "", as.character(v)) })), 1, paste, collapse = ",")
# Posteriors, not their logarithms, are what they return: the logarithm of a small one is exact to its last digits.
log_rows <- function(p) apply(p, 1, function(v) paste(sprintf("%.17g", log(v)), collapse = " "))

write_case <- function(name, asked, schema, lines, train, test, expect) {
    out <- c(paste("#", asked), paste("made-by", made_by), paste("schema", schema), lines, paste("train", length(train)), train)
    if (!is.null(test)) out <- c(out, paste("test", length(test)), test)
    writeLines(c(out, paste("expect", length(expect)), expect), file.path(folder, paste0(name, ".golden")))
}

# ---- MASS

# Overlapping classes: posteriors far from 0, so that MASS's exp does not underflow.
set.seed(11)
n <- 40
y <- factor(c("a", "b", "c", sample(c("a", "b", "c"), n - 3, TRUE, c(.5, .3, .2))))
y <- factor(c(rep(c("a", "b", "c"), each = 5), as.character(y))[1:n])
x <- data.frame(x0 = rnorm(n) + .7 * as.integer(y), x1 = rnorm(n), x2 = rnorm(n) * 3)
x$x1 <- x$x1 + .6 * x$x0 - .3 * as.integer(y)
x <- as.data.frame(lapply(x, round, 3))
new <- as.data.frame(lapply(data.frame(x0 = rnorm(10, 1), x1 = rnorm(10), x2 = rnorm(10, 0, 3)), round, 3))
gda <- "y x0:gda x1:gda x2:gda"
qda_ <- "y x0:qda x1:qda x2:qda"
given <- paste("prior", paste(sprintf("%s=%.17g", levels(y), as.vector(table(y)) / n), collapse = " "))

m <- lda(x, y)
write_case("mass_lda", "lda(x, y)", gda, c("note divides by n - K", "divisor n-k"), rows_of(y, x), rows_of("a", new),
           log_rows(predict(m, new)$posterior))
m <- lda(x, y, prior = c(.1, .3, .6))
write_case("mass_lda_prior", "lda(x, y, prior = c(.1, .3, .6))", gda,
           c("note divides by n - K; the given prior does not enter its covariance", "divisor n-k", "prior a=.1 b=.3 c=.6"),
           rows_of(y, x), rows_of("a", new), log_rows(predict(m, new)$posterior))
m <- lda(x, y, method = "mle")
write_case("mass_lda_mle", "lda(x, y, method = 'mle')", gda, "divisor n", rows_of(y, x), rows_of("a", new),
           log_rows(predict(m, new)$posterior))
m <- qda(x, y)
write_case("mass_qda", "qda(x, y)", qda_, c("note divides by n_k - 1", "divisor n-1"), rows_of(y, x), rows_of("a", new),
           log_rows(predict(m, new)$posterior))

kept <- "note the prior stays that of all rows, as a given prior does with us"
write_case("mass_lda_cv", "lda(x, y, CV = TRUE): leave-one-out", gda, c(kept, "divisor n-k", given), rows_of(y, x), NULL,
           log_rows(lda(x, y, CV = TRUE)$posterior))
write_case("mass_lda_cv_mle", "lda(x, y, CV = TRUE, method = 'mle'): leave-one-out", gda, c(kept, "divisor n", given),
           rows_of(y, x), NULL, log_rows(lda(x, y, CV = TRUE, method = "mle")$posterior))
write_case("mass_qda_cv", "qda(x, y, CV = TRUE): leave-one-out", qda_, c(kept, "divisor n-1", given), rows_of(y, x), NULL,
           log_rows(qda(x, y, CV = TRUE)$posterior))

# ---- e1071: numbers and categories side by side, values missing

set.seed(12)
n <- 45
y <- factor(c("a", "b", "c", sample(c("a", "b", "c"), n - 3, TRUE)))
draw <- function(y) {
    k <- as.integer(y)
    data.frame(height = round(rnorm(length(k), k), 3),
               colour = factor(c("red", "green", "blue")[1 + (k + sample(0:2, length(k), TRUE, c(.6, .3, .1))) %% 3],
                               levels = c("red", "green", "blue")),
               weight = round(rexp(length(k), k / 2), 3),
               size = factor(ifelse(runif(length(k)) < .2 + .2 * k, "big", "small"), levels = c("big", "small")))
}
x <- draw(y)
new <- draw(factor(sample(levels(y), 12, TRUE), levels = levels(y)))
holes <- function(t) {
    for (j in seq_along(t)) t[sample(nrow(t), nrow(t) %/% 8), j] <- NA
    t
}
mixed <- "y height:gaussian colour:categorical weight:gaussian size:categorical"
declared <- c("declare 0 red green blue", "declare 1 big small")
for (alpha in c(1, .5)) {
    name <- if (alpha == 1) "e1071_mixed" else "e1071_mixed_05"
    m <- naiveBayes(x, y, laplace = alpha)
    write_case(name, sprintf("naiveBayes(x, y, laplace = %g)", alpha), mixed,
               c("note its standard deviations divide by n_k - 1", "divisor n-1", "floor 0", paste("smooth", alpha), declared),
               rows_of(y, x), rows_of("a", new), log_rows(predict(m, new, type = "raw")))
}
with_holes <- holes(x)
new <- holes(new)
m <- naiveBayes(with_holes, y, laplace = 1, na.action = na.pass)
write_case("e1071_missing", "naiveBayes(x, y, laplace = 1, na.action = na.pass), values missing from both tables", mixed,
           c("note its standard deviations divide by n_k - 1", "divisor n-1", "floor 0", "smooth 1", declared),
           rows_of(y, with_holes), rows_of("a", new), log_rows(predict(m, new, type = "raw")))
