package dev.levee.estimation;

/** How folds are combined into one estimate (Chernozhukov et al. 2018, definitions 3.1 and 3.2). */
public enum Procedure {
    /** The mean of the folds' estimates. */
    DML1,
    /** One estimate from the scores of all folds. */
    DML2
}
