package vitrine.guest.workload.fio;

import java.util.SplittableRandom;

/// In which order blocks are read or written.
interface Order {

    /// The block at a place of the order.
    ///
    /// @param place 0 and up, one after the other
    long block(long place);

    /// The order of a job's process.
    ///
    /// @param round how often it has begun again
    static Order of(FioJob job, int process, int round) {
        long blocks = job.extent().size() / job.block();
        if (!job.access().random()) {
            return place -> place % blocks;
        }
        SplittableRandom random = new SplittableRandom(job.seed() + process * 7919L + round * 104_729L);
        return job.everyBlockOnce() ? new Shuffle(blocks, random) : _ -> random.nextLong(blocks);
    }

    /// Each block once, in an order that looks like none, and nothing to remember: a Feistel
    /// network over the numbers of so many bits, asked again while the answer is too large.
    final class Shuffle implements Order {

        private static final int ROUNDS = 4;

        private final long blocks;
        private final int half; // bits of one half
        private final long[] keys = new long[ROUNDS];

        Shuffle(long blocks, SplittableRandom random) {
            this.blocks = blocks;
            half = Math.max(1, (Long.SIZE - Long.numberOfLeadingZeros(blocks - 1) + 1) / 2);
            for (int i = 0; i < ROUNDS; i++) {
                keys[i] = random.nextLong();
            }
        }

        @Override
        public long block(long place) {
            long block = place % blocks;
            do {
                block = exchange(block);
            } while (block >= blocks);
            return block;
        }

        /// Of the numbers below `4^half` to the same numbers, no two to one.
        private long exchange(long number) {
            long mask = (1L << half) - 1;
            long left = number >>> half;
            long right = number & mask;
            for (long key : keys) {
                long mixed = (right ^ key) * 0x9E37_79B9_7F4A_7C15L;
                long next = left ^ (mixed >>> (Long.SIZE - half));
                left = right;
                right = next;
            }
            return left << half | right;
        }
    }
}
