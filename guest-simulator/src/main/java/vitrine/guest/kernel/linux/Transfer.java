package vitrine.guest.kernel.linux;

/// How data is moved between a program and the server.
///
/// @param inTurn whether each request waits for the one before (fuse.h: FUSE_ASYNC_DIO)
/// @param place where in its page the program's memory begins
record Transfer(boolean inTurn, int place) {

    Transfer inTurn(boolean other) {
        return new Transfer(other, place);
    }
}
