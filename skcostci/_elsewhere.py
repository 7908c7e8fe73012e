"""Names of statistics in scikit-learn and elsewhere, and what they are called here."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from inspect import isfunction, signature

import sklearn.metrics

OTHER_NAMES = {  # names of scikit-learn and others that are accepted, and the names here
    **dict.fromkeys(("roc_auc", "roc_auc_score"), "auc"),
    **dict.fromkeys(("brier_score", "brier_score_loss"), "brier"),
    **{"average_precision_score": "average_precision", "zero_one_loss": "zero_one", "equal_error_rate": "eer"},
    **{"pearsonr": "pearson", "spearmanr": "spearman"},
    **dict.fromkeys(("rps", "ranked_prob_score"), "ranked_probability_score"),
    **{"mean_squared_error": "squared_error", "mean_absolute_error": "absolute_error"},
}
TYPED = {  # what to write here, and what is typed for it from memory or is its name in another package
    **{"'accuracy'": "acc exact_match em subset_accuracy", "'balanced_accuracy'": "bal_accuracy bal_acc bacc"},
    **{"'recall'": "true_positive_rate sens pod detection_rate", "'specificity'": "true_negative_rate spec"},
    **{"'precision'": "positive_predictive_value prec", "'npv'": "negative_predictive_value"},
    **{"'fpr'": "false_positive_rate fall_out fallout pofd false_alarm_rate", "'fnr'": "false_negative_rate miss_rate"},
    **{"'fdr'": "false_discovery_rate far false_alarm_ratio", "'fomr'": "false_omission_rate", "'ks'": "ks_statistic"},
    **{"'f1'": "dice dsc dice_coefficient f_meas f_measure f_score fmeasure", "Metric.fbeta(2)": "f2"},
    **{"Metric.fbeta(0.5)": "f0.5 f05", "Metric.fbeta(beta)": "fbeta f_beta", "'hamming'": "hamming_distance"},
    **{"'jaccard'": "iou jaccard_index intersection_over_union", "'jaccard_macro'": "miou mean_iou"},
    "'youden'": "informedness j_index youden_index youden_j youdens_j bookmaker tss true_skill_statistic",
    "'mcc'": "phi phi_coef phi_coefficient matthews matthews_corr_coef matthews_correlation",
    "'kappa', kappa_weights='quadratic'": "qwk quadratic_weighted_kappa quadratic_kappa weighted_kappa",
    **{"'kappa', kappa_weights='linear'": "linear_weighted_kappa linear_kappa", "'kappa'": "kap cohens_kappa"},
    **{"'lr_positive'": "plr lr+", "'lr_negative'": "nlr lr_", "'diagnostic_odds_ratio'": "dor"},
    **{
        "'roc_auc'": "auroc auc_roc aucroc rocauc c_statistic roc_auc",
        "'average_precision'": "ap auprc pr_auc prauc auc_pr aupr",
    },
    **{"'roc_auc_ovr'": "roc_aunu", "'roc_auc_ovr_weighted'": "roc_aunp", "'selection_rate'": "detection_prevalence"},
    "'gini'": "gini_coef gini_coefficient",
    "'concordance'": "c_index cindex concordance_index harrell_c harrells_c",
    "'log_loss'": "logloss cross_entropy mn_log_loss nll binary_cross_entropy bce log_loss",
    "'brier', time=time, horizon=[...], integrated=True": "ibs integrated_brier integrated_brier_score",
    "'auc', time=time, horizon=[...], integrated=True": "integrated_auc cumulative_dynamic_auc",
    **{"'brier'": "brier_class bs", "'brier_skill'": "bss brier_skill_score", "'zero_one'": "error_rate"},
    **{"'squared_error'": "mse l2", "'root_mean_squared_error'": "rmse", "'root_mean_squared_log_error'": "rmsle"},
    **{"'absolute_error'": "mae l1 median_absolute_error max_error", "'mean_absolute_percentage_error'": "mape"},
    **{"'r2'": "rsq_trad r_squared rsquared", "'pearson'": "correlation corr pearson_corr_coef pearson_r"},
    "'spearman'": "spearman_corr_coef spearman_r spearman_rho rank_correlation",
    "bootstrap_calibration(y_true, y_proba)": "ece expected_calibration_error calibration_error mce",
    "bootstrap_agreement(ratings)": "fleiss_kappa krippendorff krippendorff_alpha ac1 gwet_ac1",
    **{"bootstrap_mean(values)": "pass@1 mean_error mbe win_rate", "bootstrap_ratio(errors, words)": "wer cer"},
    "compare_groups(y_true, y_pred, by, 'recall').gap()": "equal_opportunity_difference",
    "compare_groups(y_true, y_pred, by, 'selection_rate').gap()": "demographic_parity_difference",
}
MEANT = {
    **{name: f"'{ours}'" for name, ours in OTHER_NAMES.items()},
    **{name: ours for ours, names in TYPED.items() for name in names.split()},
}
OF_ONE_CASE = ("median_absolute_error", "max_error")  # set by one or two cases, whatever the weights
ENDS = ("", "_score", "_loss")  # endings of a function's name that a scorer's name leaves out
TASK = re.compile("^(neg|binary|multiclass|multilabel)_")
AVERAGE = "(macro|micro|weighted|samples)"  # first or last in a name


def meant_by(name: str, known: Collection[str] = ()) -> str:
    """The head of a message about a name that is used elsewhere, or an empty text; ``known`` names are accepted."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|[ -]", "_", name).lower()  # BinaryAUROC is binary_auroc
    plain = TASK.sub("", words)
    spelled = [plain, plain.removesuffix("_score"), re.sub(rf"^{AVERAGE}_(.+?)(_score)?$", r"\2_\1", plain)]
    meant = next((MEANT[each] for each in spelled if each in MEANT), None)
    if meant is None:
        others = (each for each in spelled if each != name)
        accepted = (each for each in others if re.sub(f"_{AVERAGE}$", "", each) in known or function_named(each))
        meant = next(map(repr, accepted), None)
    if meant is not None:
        return f"Use {meant} for {name!r}. "
    functions = filter(isfunction, (getattr(sklearn.metrics, plain + end, None) for end in ENDS))
    unweighted = any("sample_weight" not in signature(function).parameters for function in functions)
    return f"{name!r} is not available: scikit-learn's function has no sample_weight. " if unweighted else ""


def function_named(name: str) -> Callable[..., object] | None:
    """The function of sklearn.metrics, or of a scorer, of this name; None if arguments or OF_ONE_CASE exclude it."""
    found = next((name + end for end in ENDS if name + end in sklearn.metrics.__all__), "")
    if not found or found in OF_ONE_CASE:
        return None
    function: Callable[..., object] = getattr(sklearn.metrics, found)
    if not isfunction(function):  # classes, and the module of clustering scores
        return None
    takes = signature(function).parameters
    needed = [name for name, each in takes.items() if each.default is each.empty]  # such as the beta of F-beta
    return function if needed[:1] == ["y_true"] and len(needed) <= 2 and "sample_weight" in takes else None


def response_of(name: str) -> str | tuple[str, ...]:
    """The method of an estimator (several: the first it has) whose output the function of this name evaluates."""
    if name.startswith("d2_log_loss"):
        return "predict_proba"
    ranks = name.startswith(("top_k", "label_ranking", "coverage", "dcg", "ndcg"))
    return ("decision_function", "predict_proba") if ranks else "predict"


def check_no_scorer(name: str, function: Callable[..., object]) -> None:
    """Raise for a scorer, which evaluates estimators, where a function of truth and predictions is expected."""
    try:
        takes = next(iter(signature(function).parameters), "")
    except (TypeError, ValueError):  # builtins may have no signature
        return
    if takes == "estimator":
        raise TypeError(
            f"{name} must be a function of y_true and y_pred, got the scorer {function!r}: pass its function."
        )
