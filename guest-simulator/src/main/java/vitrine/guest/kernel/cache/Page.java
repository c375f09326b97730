package vitrine.guest.kernel.cache;

/// One page, guarded by the cache's lock.
final class Page {

    final byte[] bytes = new byte[PageCache.PAGE];
    boolean dirty;
    boolean marked; // who reads it reads ahead
    boolean failed; // its READ did, and it has no bytes
}
