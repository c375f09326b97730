package vitrine.visualizer.view;

import java.util.List;
import java.util.stream.Collectors;
import vitrine.visualizer.sheet.View;

/// All views, in the order of their keys.
public final class Views {

    /// Path first: it is where a reader begins.
    public static final List<View> ALL = List.of(
            new PathView(),
            new RingsView(),
            new TimelineView(),
            new InspectorView(),
            new CachesView(),
            new WindowView(),
            new CostView(),
            new CompareView(),
            new DecisionView(),
            new CrashView());

    private Views() {}

    /// The view with this name.
    ///
    /// @throws IllegalArgumentException if there is none; the message lists them
    public static View named(String name) {
        return ALL.stream()
                .filter(view -> view.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no view '" + name + "'; there are "
                        + ALL.stream().map(View::name).collect(Collectors.joining(", "))));
    }
}
