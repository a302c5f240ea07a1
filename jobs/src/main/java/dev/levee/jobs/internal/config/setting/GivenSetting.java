package dev.levee.jobs.internal.config.setting;

import java.util.List;

/**
 * The user's text for one setting.
 *
 * @param texts the values; more than one only if the setting is repeatable
 * @param origin name of the setting in error messages: {@code --workers} or {@code workers in
 *     run.yaml}
 */
public record GivenSetting(List<String> texts, String origin) {
    public GivenSetting {
        texts = List.copyOf(texts);
    }
}
