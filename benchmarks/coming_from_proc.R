# What pROC answers, beside which the documentation puts our answers. Run by coming_from_proc.py, which writes the data.
options(digits = 10)
suppressMessages(library(pROC))
data <- read.csv(commandArgs(trailingOnly = TRUE)[1])
say <- function(title) cat("\n# ", title, "\n", sep = "")

say("versions")
cat(R.version.string, ", pROC ", as.character(packageVersion("pROC")), "\n", sep = "")
texture <- roc(data$malignant, data$texture, direction = "<", levels = c(0, 1))
smoothness <- roc(data$malignant, data$smoothness, direction = "<", levels = c(0, 1))

say("auc")
cat(auc(texture), "\n")

say("ci.auc")
cat(ci.auc(texture), "\n")

say("ci.auc bootstrap")
for (seed in 1:3) {
  set.seed(seed)
  cat(ci.auc(texture, method = "bootstrap", boot.n = 2000, progress = "none"), "  seed", seed, "\n")
}

say("var, cov")
cat(var(texture), cov(texture, smoothness), "\n")

say("roc.test")
test <- roc.test(texture, smoothness, method = "delong", paired = TRUE)
cat("Z =", test$statistic, " p =", test$p.value, " interval", test$conf.int, "\n")

say("ci.se")
for (seed in 1:3) {
  set.seed(seed)
  se <- ci.se(texture, specificities = 0.8, boot.n = 2000, progress = "none")
  cat(se[1, ], "  seed", seed, "\n")
}

say("ci.thresholds")
set.seed(1)
at <- ci.thresholds(texture, thresholds = 20, boot.n = 2000, progress = "none")
cat("sp", at$specificity[1, ], "\nse", at$sensitivity[1, ], "\n")

say("coords at threshold")
print(unlist(coords(texture, x = 20, input = "threshold", ret = c("specificity", "sensitivity"))))

say("coords best")
best <- coords(texture, "best", best.method = "youden", best.weights = c(5, 0.1), ret = c("threshold", "specificity", "sensitivity"))
print(unlist(best))
