package vitrine.conformance.dax;

import java.util.ArrayList;
import java.util.List;
import vitrine.memory.Mapper;
import vitrine.posix.Fd;

/// A front end that notes its orders, and carries them out when the test says so.
public final class ObedientMapper implements Mapper {

    /// For example `map 0x200000+0x1000 from 0x0`, `unmap 0x200000+0x1000`.
    final List<String> orders = new ArrayList<>();

    /// Whether an order is carried out at once.
    boolean atOnce = true;

    /// What becomes of the next orders that are carried out.
    int errno;

    private final List<Given> waiting = new ArrayList<>();

    private static final class Given implements Change {
        private boolean done;
        private int errno;

        @Override
        public boolean isDone() {
            return done;
        }

        @Override
        public int errno() {
            return errno;
        }
    }

    /// Carries out all orders there are.
    void obey() {
        waiting.forEach(this::obey);
        waiting.clear();
    }

    private void obey(Given order) {
        order.errno = errno;
        order.done = true;
    }

    private Change given(String order) {
        orders.add(order);
        Given given = new Given();
        if (atOnce) {
            obey(given);
        } else {
            waiting.add(given);
        }
        return given;
    }

    @Override
    public Change map(Fd file, long fileOffset, long offset, long length) {
        file.close();
        return given("map 0x%x+0x%x from 0x%x".formatted(offset, length, fileOffset));
    }

    @Override
    public Change unmap(long offset, long length) {
        return given("unmap 0x%x+0x%x".formatted(offset, length));
    }

    @Override
    public void listen(Runnable bell) {
        // the test itself says when
    }
}
