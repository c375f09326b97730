package vitrine.guest.experiment;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import vitrine.guest.workload.fio.Json;

/// Results for programs.
final class AsJson {

    private AsJson() {}

    /// All experiments in one text.
    ///
    /// @param where whose kernel, and which daemon
    static String of(List<Experiment> done, List<List<Row>> results, String where) {
        List<Object> experiments = new ArrayList<>();
        for (int i = 0; i < done.size(); i++) {
            Map<String, Object> experiment = new LinkedHashMap<>();
            experiment.put("name", done.get(i).name());
            experiment.put("title", done.get(i).title());
            experiment.put("where", where);
            experiment.put("rows", results.get(i).stream().map(AsJson::row).toList());
            experiments.add(experiment);
        }
        return Json.of(Map.of("experiments", experiments));
    }

    private static Map<String, Object> row(Row row) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("name", row.name());
        all.put("unit", row.unit().text());
        all.put("as_reported", String.valueOf(row.holds()));
        List<Object> settings = new ArrayList<>();
        for (int i = 0; i < row.settings().size(); i++) {
            Map<String, Object> setting = new LinkedHashMap<>();
            setting.put("name", row.settings().get(i));
            put(setting, "reported", row.reported(), i);
            put(setting, "model", row.model(), i);
            if (i < row.measured().size()) {
                Row.Range range = row.measured().get(i);
                setting.put("measured", Map.of("median", range.median(), "least", range.least(), "most", range.most()));
            }
            if (i < row.counts().size()) {
                setting.put("requests", row.counts().get(i).requests());
                setting.put("host_calls", row.counts().get(i).hostCalls());
            }
            settings.add(setting);
        }
        all.put("settings", settings);
        return all;
    }

    private static void put(Map<String, Object> setting, String label, List<Double> figures, int place) {
        if (place < figures.size()) {
            setting.put(label, figures.get(place));
        }
    }
}
