package vitrine.visualizer.paint;

/// What a colour is for. Which one it is, a [Theme] decides.
public enum Token {
    /// Behind everything.
    PAGE,
    /// A card or a cell on the page.
    PANEL,
    /// Every second lane, so that the eye stays in it.
    BAND,
    /// Rules, borders and life lines.
    RULE,
    /// What is to be read.
    TEXT,
    /// What explains: captions, units, units' names.
    MUTED,
    /// What has not happened yet.
    FAINT,
    /// Where the reader is: the present step.
    ACCENT,
    /// What the reader has selected.
    SELECTED,
    /// What this step has changed.
    CHANGED,
    /// What failed.
    ERROR,
    /// The outline of whatever is filled with the colour of a stage.
    OUTLINE,
    /// A program in the guest.
    GUEST_PROGRAM,
    /// The guest's kernel.
    GUEST_KERNEL,
    /// The virtqueue, its driver and its notifications.
    QUEUE,
    /// The daemon.
    DAEMON,
    /// The host's kernel.
    HOST,
    /// The DAX window.
    DAX,
    /// A label on a dark fill.
    WHITE,
    /// A label on a light fill.
    BLACK;

    /// The colours that mean a stage of a request's way.
    public static Token[] stages() {
        return new Token[] {GUEST_PROGRAM, GUEST_KERNEL, QUEUE, DAEMON, HOST, DAX};
    }
}
