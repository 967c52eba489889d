# Recalculate the main figures of a release from its raw tables, with base R only.
#
#   Rscript examples/release/figures.R FOLDER
#
# FOLDER is the folder of a release. For a best–worst study, the counting score of each item is
# (times best − times worst) / times shown, moved to the scale from 0 to 1. For a paraphrase study, Fleiss' κ is
# calculated from the votes; candidates can have different numbers of votes.

counting_scores <- function(folder) {
  answers <- read.csv(file.path(folder, "data", "annotations.csv"))
  shown <- unlist(answers[grep("^Item[0-9]+$", names(answers))])
  items <- sort(unique(shown), method = "radix")
  times <- function(column) as.vector(table(factor(column, levels = items)))
  count <- (times(answers$BestItem) - times(answers$WorstItem)) / times(shown)
  data.frame(item = items, score = (count + 1) / 2)
}

fleiss_kappa <- function(folder) {
  votes <- read.csv(file.path(folder, "data", "votes.csv"))
  counts <- unclass(table(votes$item, votes$label))
  n <- rowSums(counts)
  twice <- n >= 2
  observed <- mean((rowSums(counts[twice, , drop = FALSE]^2) - n[twice]) / (n[twice] * (n[twice] - 1)))
  expected <- sum(colMeans(counts / n)^2)
  (observed - expected) / (1 - expected)
}

main <- function(folder) {
  if (file.exists(file.path(folder, "data", "annotations.csv"))) {
    write.csv(counting_scores(folder), row.names = FALSE)
  } else if (file.exists(file.path(folder, "data", "votes.csv"))) {
    cat(sprintf("Fleiss' kappa: %.6f\n", fleiss_kappa(folder)))
  } else {
    stop("The folder is not the release of a best-worst or paraphrase study: ", folder)
  }
}

arguments <- commandArgs(trailingOnly = TRUE)
if (length(arguments) != 1) stop("Usage: Rscript figures.R FOLDER")
main(arguments[1])
