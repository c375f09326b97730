package vitrine.guest.compare;

import java.util.ArrayList;
import java.util.List;
import vitrine.guest.driver.BrokenDeviceException;
import vitrine.posix.ErrnoException;
import vitrine.wire.MalformedException;

/// What is done over and over: a row of the comparison.
///
/// @param name what the row is called
/// @param preparation makes it ready on a guest
record Load(String name, Preparation preparation) {

    private static final int ONE = 1;
    private static final int MANY = 16;

    /// Makes a load ready.
    interface Preparation {
        Ready on(RepeatingGuest guest) throws BrokenDeviceException, ErrnoException, MalformedException;
    }

    /// A load that is ready on a guest.
    interface Ready extends AutoCloseable {

        /// Does about a tenth of a second of it.
        ///
        /// @return how often it was done
        long run() throws BrokenDeviceException, ErrnoException, MalformedException;

        /// Makes room for the next one.
        @Override
        default void close() throws BrokenDeviceException, ErrnoException, MalformedException {}
    }

    /// All rows, in the order of the table.
    static List<Load> all() {
        List<Load> all = new ArrayList<>();
        for (int depth : new int[] {ONE, MANY}) {
            all.add(requests("nothing (ENOSYS)", RequestKind.NOTHING, depth));
            all.add(requests("statfs", RequestKind.STATFS, depth));
            all.add(requests("getattr", RequestKind.GETATTR, depth));
            all.add(requests("lookup", RequestKind.LOOKUP, depth));
            all.add(requests("read 4 KiB", RequestKind.READ_4K, depth));
            all.add(requests("write 4 KiB", RequestKind.WRITE_4K, depth));
            all.add(requests("write 1 MiB, 256 pages", RequestKind.WRITE_1M, depth));
            all.add(requests("flush", RequestKind.FLUSH, depth));
        }
        all.add(new Load("lookup and forget", guest -> () -> {
            for (int i = 0; i < 5000; i++) {
                guest.lookUpAndForget(ShareOfFiles.DATA);
            }
            return 5000;
        }));
        all.add(new Load("create, release, unlink, forget", guest -> () -> {
            for (int i = 0; i < 1000; i++) {
                guest.createAndRemove("new-" + i);
            }
            return 1000;
        }));
        all.add(new Load("readdirplus, an entry, known", Load::listingsOfKnown));
        all.add(new Load("readdirplus, an entry, new", guest -> () -> listings(guest)));
        return all;
    }

    /// Each listing takes back what it has counted; one holds the nodeids meanwhile.
    private static Ready listingsOfKnown(RepeatingGuest guest)
            throws BrokenDeviceException, ErrnoException, MalformedException {
        guest.listAll(0);
        return new Ready() {
            @Override
            public long run() throws BrokenDeviceException, ErrnoException, MalformedException {
                return listings(guest);
            }

            @Override
            public void close() throws BrokenDeviceException, ErrnoException, MalformedException {
                guest.listAll(2);
            }
        };
    }

    private static long listings(RepeatingGuest guest)
            throws BrokenDeviceException, ErrnoException, MalformedException {
        long entries = 0;
        for (int i = 0; i < 20; i++) {
            entries += guest.listAll(1);
        }
        return entries;
    }

    private static Load requests(String name, RequestKind kind, int depth) {
        return new Load(name + ", depth " + depth, guest -> {
            List<Pump.Slot> slots = guest.ready(kind);
            int times = 200;
            return new Ready() {
                @Override
                public long run() throws BrokenDeviceException, ErrnoException {
                    guest.pump().run(slots, depth, times);
                    return (long) slots.size() * times;
                }

                @Override
                public void close() {
                    guest.pump().discard(slots);
                }
            };
        });
    }
}
