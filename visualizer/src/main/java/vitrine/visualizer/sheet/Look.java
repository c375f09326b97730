package vitrine.visualizer.sheet;

import vitrine.visualizer.paint.Type;

/// The few sizes of letters, and the distances, that all views keep to.
public final class Look {

    /// The heading of a picture.
    public static final Type TITLE = Type.plain(16).heavy();

    /// The heading of a part of it.
    public static final Type HEADING = Type.plain(13.5).heavy();

    /// What is read.
    public static final Type BODY = Type.plain(13.5);

    /// What explains.
    public static final Type SMALL = Type.plain(12);

    /// What comes from the wire.
    public static final Type CODE = Type.mono(12);

    /// The same in a narrow place: the smallest letters that there are. In a lecture they have 20
    /// pixels, which the back row can read.
    public static final Type SMALL_CODE = Type.mono(11.2);

    /// Between a picture and its edge.
    public static final double MARGIN = 16;

    /// Between things that have nothing to do with each other.
    public static final double GAP = 12;

    /// The round of a corner.
    public static final double CORNER = 4;

    private Look() {}
}
