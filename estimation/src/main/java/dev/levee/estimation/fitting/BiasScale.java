package dev.levee.estimation.fitting;

import dev.levee.estimation.EffectData;
import dev.levee.estimation.Nuisance;
import dev.levee.estimation.Score;

import java.util.Arrays;

/**
 * The scale S = √(σ²ν²) of the bias that an omitted variable causes, with its influence function
 * (σ²ψ_ν + ν²ψ_σ)/(2S) (Chernozhukov et al. 2022, theorem 4). σ² is the outcome regression's
 * residual variance, and ν² is the second moment of the Riesz representer.
 *
 * @param scale S; NaN if the estimate of ν² is not positive
 * @param influence the influence at each observation, scaled like the influence of the estimate
 */
record BiasScale(double scale, double[] influence) {
    static BiasScale of(
            EffectData data,
            Score score,
            int treatment,
            double theta,
            ScoreElements.Predictions predictions,
            ScoreElements elements,
            SampleSums sums) {
        int n = data.size();
        double[] d = data.treatments().get(treatment).values();
        double[] m =
                elements.propensities() != null
                        ? elements.propensities()
                        : predictions.column(Nuisance.M);
        double share = ScoreElements.mean(d);
        double[] sigma = new double[n];
        double[] nu = new double[n];
        for (int i = 0; i < n; i++) {
            double residual =
                    switch (score) {
                        case PARTIALLING_OUT -> elements.residuals()[i] - theta * (d[i] - m[i]);
                        case IV_TYPE -> elements.residuals()[i] - theta * d[i];
                        default -> elements.residuals()[i];
                    };
            sigma[i] = residual * residual;
            nu[i] =
                    switch (score) {
                        case ATE -> {
                            double riesz = d[i] / m[i] - (1 - d[i]) / (1 - m[i]);
                            yield 2 * (1 / m[i] + 1 / (1 - m[i])) - riesz * riesz;
                        }
                        case ATT -> {
                            double riesz = (d[i] - (1 - d[i]) * m[i] / (1 - m[i])) / share;
                            yield 2 * d[i] / (share * share) * (1 + m[i] / (1 - m[i]))
                                    - riesz * riesz;
                        }
                        default -> (d[i] - m[i]) * (d[i] - m[i]);
                    };
        }
        double sigmaSquared = ScoreElements.mean(sigma);
        double moment = ScoreElements.mean(nu);
        boolean interactive = score == Score.ATE || score == Score.ATT;
        double nuSquared = interactive ? moment : 1 / moment;
        double scale = Math.sqrt(sigmaSquared * nuSquared);
        // Divide by the weight that means over clusters give to observations.
        double[] ones = new double[n];
        Arrays.fill(ones, 1);
        double weight = sums.mean(ones);
        double[] influence = new double[n];
        for (int i = 0; i < n; i++) {
            double psiNu =
                    interactive ? nu[i] - nuSquared : nuSquared - nu[i] * nuSquared * nuSquared;
            double psiSigma = sigma[i] - sigmaSquared;
            influence[i] = (sigmaSquared * psiNu + nuSquared * psiSigma) / (2 * scale) / weight;
        }
        return new BiasScale(scale, influence);
    }
}
