"""Numbers from elsewhere, each with the command that made it.

R 4.2.2, pROC 1.18.0, on scikit-learn's ``load_breast_cancer``: y = target == 0 (malignant is
positive), texture = data[:, 1], smoothness = data[:, 4], written out with 17 digits.

    r1 <- roc(y, texture, direction="<"); r2 <- roc(y, smoothness, direction="<")
    auc(r1); var(r1); ci.auc(r1); roc.test(r1, r2, method="delong", paired=TRUE); cov(r1, r2)
"""

PROC = {
    "texture": {
        "auc": 0.775824480735691,
        "delong_variance": 0.00038944311329828,
        "delong_interval": (0.737145937811502, 0.814503023659878),
    },
    "smoothness": {
        "auc": 0.722041646847418,
        "delong_variance": 0.000452253529755995,
        "delong_interval": (0.680360556277818, 0.763722737417018),
    },
}
PROC_PAIRED = {
    "covariance": -7.18348825778001e-05,
    "statistic": 1.71334493731591,
    "pvalue": 0.0866490997934494,
    "interval": (-0.00774150666433764, 0.115307174440882),
}

# The closed forms of the exact bootstrap on the same data, from an independent implementation.
BOOTSTRAP_VARIANCE = {"texture": 0.000388816758306136, "smoothness": 0.00045150831928127}
BOOTSTRAP_COVARIANCE = -7.15836470217408e-05
HANLEY_MCNEIL_VARIANCE = {"texture": 0.00044849546025729, "smoothness": 0.000520177752762553}
