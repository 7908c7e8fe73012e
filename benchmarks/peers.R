# Times pROC on a file of labels and scores, inside R: Rscript benchmarks/peers.R data.csv seconds_for_resampling
suppressMessages(library(pROC))
arguments <- commandArgs(trailingOnly = TRUE)

timed <- function(call) {
  gc(reset = TRUE)
  before <- sum(gc()[, 2])
  seconds <- sum(system.time(call())[c("user.self", "sys.self")])
  c(seconds, sum(gc()[, 6]) - before)
}

# Few resamples first, then as many as the time allows; seconds are those of 2,000.
resampled <- function(call) {
  few <- timed(function() call(10))[1]
  count <- max(10, min(2000, floor(10 * budget / max(few, 0.001))))
  cost <- timed(function() call(count))
  c(cost[1] * 2000 / count, cost[2], count)
}

report <- function(question, tool, figures) {
  cat(question, tool, format(figures[1:2], digits = 6, scientific = TRUE), figures[3], sep = "\t")
  cat("\n")
}

if (is.na(arguments[1])) { # only the versions are asked for
  cat(paste0("R ", R.version$major, ".", R.version$minor, ", pROC ", packageVersion("pROC")))
  quit()
}

data <- read.csv(arguments[1])
budget <- as.numeric(arguments[2])
curve <- function(score) roc(data$y, score, quiet = TRUE, levels = c(0, 1), direction = "<")

report("AUC", "pROC ci.auc, DeLong", c(timed(function() ci.auc(curve(data$a), method = "delong")), 0))
report("difference of AUCs", "pROC roc.test, DeLong",
       c(timed(function() roc.test(curve(data$a), curve(data$b), method = "delong")), 0))
report("AUC", "pROC ci.auc, bootstrap", resampled(function(count)
  ci.auc(curve(data$a), method = "bootstrap", boot.n = count, progress = "none")))
report("sensitivity at 95 % specificity", "pROC ci.se, bootstrap", resampled(function(count)
  ci.se(curve(data$a), specificities = 0.95, boot.n = count, progress = "none")))
