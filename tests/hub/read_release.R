# Read tables and JSON files of a release, and print what R reads as JSON. The first argument is the folder, and the
# others are lines of R that read one table each. This program never uses Accord.
arguments <- commandArgs(trailingOnly = TRUE)
setwd(arguments[1])
tables <- lapply(arguments[-1], function(line) {
  table <- eval(parse(text = line))
  names(table) <- NULL
  lapply(table, function(column) if (is.factor(column)) as.character(column) else column)
})
lines <- list.files("raw", pattern = "annotations[.]jsonl$|items[.]jsonl$|questions[.]jsonl$", full.names = TRUE)
streamed <- lapply(lines, function(path) {
  rows <- jsonlite::stream_in(file(path), verbose = FALSE)
  nrow(rows)
})
names(streamed) <- lines
report <- jsonlite::fromJSON("report/results.json")
result <- list(
  tables = tables,
  streamed = streamed,
  headline = report$result$headline$ends$value,
  counted = sum(jsonlite::stream_in(file("raw/annotations.jsonl"), verbose = FALSE)$counts)
)
cat(jsonlite::toJSON(result, na = "null", digits = NA, auto_unbox = FALSE))
