package vitrine.guest.kernel.cache;

import java.util.EnumSet;
import java.util.Set;
import vitrine.fuse.flag.AttrFlag;
import vitrine.fuse.struct.Attr;
import vitrine.fuse.struct.AttrOut;
import vitrine.guest.kernel.rule.Freshness;
import vitrine.posix.ErrnoException;
import vitrine.posix.Stat;
import vitrine.posix.Timespec;

/// What the guest believes of a file's attributes and data, and for how long.
///
/// A reply of the server refreshes everything, unless it was asked for before this guest changed
/// the file. An act of the guest makes some [Part]s doubtful. With write-back, size and times of a
/// regular file are the guest's own, and nothing that the server says changes them.
class BelievedAttributes {

    private final Terms terms;
    private final PageCache pages = new PageCache();

    private Attr attr;
    private long validUntil = Terms.never();
    private final Set<Part> changed = EnumSet.noneOf(Part.class);
    private long version; // which of all changes the last one was
    private boolean sizeChanging;
    private boolean nothingToKill;
    private boolean timesDirty;
    private boolean usesWindow; // for as long as it is known
    private boolean otherwise; // whether the server has said since that it should not, or should

    BelievedAttributes(Terms terms, Attr attr) {
        this.terms = terms;
        this.attr = attr;
    }

    /// Its data.
    public PageCache pages() {
        return pages;
    }

    /// What the guest believes; it may be out of date.
    public synchronized Attr attr() {
        return attr;
    }

    /// Where the guest believes that it ends.
    public synchronized long size() {
        return attr.size();
    }

    /// Whether it is a regular file.
    public boolean isRegular() {
        return Stat.isRegular(attr().mode());
    }

    /// Whether the server has to be asked before these parts can be believed. What the guest keeps
    /// itself is never out of date.
    public boolean isStale(Set<Part> wanted) {
        boolean expired;
        boolean partsChanged;
        pages.takeBack();
        synchronized (this) {
            expired = terms.expired(validUntil);
            partsChanged = wanted.stream().anyMatch(part -> changed.contains(part) && !isOurs(part));
        }
        return terms.decisions().by(new Freshness.Attributes(expired, partsChanged));
    }

    private boolean isOurs(Part part) {
        return keepsSize() && (part == Part.SIZE || part == Part.MODIFY_TIME || part == Part.CHANGE_TIME);
    }

    private boolean keepsSize() {
        return terms.writeBack() && Stat.isRegular(attr.mode());
    }

    /// The count of changes before a request for attributes is sent: the reply is late if this file
    /// has changed since.
    public long askedAt() {
        return terms.changes().get();
    }

    /// Attributes have come that were asked for.
    ///
    /// @param askedAt what [#askedAt()] was before
    public void refresh(AttrOut newer, long askedAt) {
        refresh(newer.attr(), terms.until(newer.attrValid(), newer.attrValidNsec()), askedAt);
    }

    /// Attributes have come with something else. Another client may have set bits or capabilities
    /// since, so what was known about them is worth nothing any more.
    ///
    /// @param askedAt what [#askedAt()] was before; 0 if they count whatever has happened since
    void refresh(Attr newer, long until, long askedAt) {
        boolean drop;
        boolean resized;
        boolean hasPages = !pages.isEmpty(); // its lock may be held over a READ: not within the monitor
        synchronized (this) {
            boolean changedMeanwhile = askedAt != 0 && version > askedAt;
            if ((changedMeanwhile || sizeChanging)
                    && terms.decisions().by(new Freshness.Late(changedMeanwhile, sizeChanging))) {
                return;
            }
            Attr old = attr;
            take(newer, until);
            otherwise |= usesWindow != AttrFlag.DAX.in(newer.flags());
            resized = !keepsSize() && isRegular() && old.size() != newer.size();
            boolean sameTime = old.mtime() == newer.mtime() && old.mtimensec() == newer.mtimensec();
            drop = Stat.isRegular(newer.mode())
                    && hasPages
                    && (resized || !sameTime)
                    && terms.decisions()
                            .by(new Freshness.Pages(
                                    resized, !sameTime, terms.autoInval(), terms.explicitInval(), keepsSize()));
        }
        if (resized) {
            pages.truncate(newer.size());
        }
        if (drop) {
            dropPages();
        }
    }

    /// Its first attributes: there is nothing older to be kept.
    synchronized void begin(Attr first, long until) {
        attr = first;
        take(first, until);
    }

    /// Whether it is used through the DAX window.
    synchronized void useWindow(boolean does) {
        usesWindow = does;
    }

    /// Whether the server has said since that the file should be used through the DAX window, and
    /// it is not, or the other way round. What it says in reply to a SETATTR is not listened to.
    synchronized boolean isNamedOtherwise() {
        return otherwise;
    }

    private void take(Attr newer, long until) {
        attr = keepsSize() ? Attrs.withTimes(Attrs.withSize(newer, attr.size()), mtime(), ctime()) : newer;
        version = terms.changes().incrementAndGet();
        validUntil = until;
        changed.clear();
        nothingToKill = false;
    }

    private Timespec mtime() {
        return new Timespec(attr.mtime(), attr.mtimensec());
    }

    private Timespec ctime() {
        return new Timespec(attr.ctime(), attr.ctimensec());
    }

    /// The reply to a SETATTR of ours: it counts whatever has happened, and a new size is the
    /// server's word.
    ///
    /// @param truncated whether the size was changed
    public void changedTo(AttrOut out, boolean truncated) {
        boolean resized;
        synchronized (this) {
            long old = attr.size();
            take(out.attr(), terms.until(out.attrValid(), out.attrValidNsec()));
            if (truncated) {
                attr = Attrs.withSize(attr, out.attr().size());
            }
            resized = isRegular() && old != attr.size();
        }
        if (resized) {
            pages.truncate(out.attr().size());
            dropPages();
        }
    }

    /// Drops all pages; those that are dirty are written before.
    public void dropPages() {
        if (pages.isDirty()) {
            try {
                terms.laundry().wash((GuestInode) this);
            } catch (ErrnoException _) {
                // who syncs the file is told, as far as Linux tells anybody
            }
        }
        pages.drop();
    }

    /// A write of ours has reached this place; the server knows sizes and times, we do not.
    ///
    /// @return whether that made the file longer
    public synchronized boolean wrote(long end) {
        version = terms.changes().incrementAndGet();
        changed.addAll(Part.WRITTEN);
        boolean longer = end > attr.size();
        if (longer) {
            attr = Attrs.withSize(attr, end);
        }
        return longer;
    }

    /// A write of ours has reached this place, and the server will hear of it later.
    public synchronized void wroteLater(long end, Timespec now) {
        if (end > attr.size()) {
            attr = Attrs.withSize(attr, end);
        }
        stamp(now, now);
    }

    /// OPEN has made the file empty.
    public void emptied(Timespec now) {
        synchronized (this) {
            version = terms.changes().incrementAndGet();
            attr = Attrs.withSize(attr, 0);
            changed.addAll(Part.WRITTEN);
            if (keepsSize()) {
                stamp(now, now);
            }
        }
        pages.truncate(0);
    }

    /// Times that the guest keeps itself, and owes the server.
    public synchronized void stamp(Timespec modified, Timespec changedAt) {
        attr = Attrs.withTimes(attr, modified == null ? mtime() : modified, changedAt == null ? ctime() : changedAt);
        timesDirty = true;
    }

    /// Times that the guest keeps itself, and has just told the server.
    public synchronized void stamped(Timespec modified, Timespec changedAt) {
        attr = Attrs.withTimes(attr, modified == null ? mtime() : modified, changedAt == null ? ctime() : changedAt);
    }

    /// Whether the server does not know the times; it does afterwards.
    public synchronized boolean takeDirtyTimes() {
        boolean dirty = timesDirty;
        timesDirty = false;
        return dirty;
    }

    /// Whether the server does not know the times.
    public synchronized boolean hasDirtyTimes() {
        return timesDirty;
    }

    /// A READ came back shorter than it should: somebody else has cut the file off.
    public synchronized void endsAt(long end, long askedAt) {
        if (askedAt >= version && end < attr.size() && !sizeChanging && !keepsSize()) {
            version = terms.changes().incrementAndGet();
            attr = Attrs.withSize(attr, end);
        }
    }

    /// Whether a request under way changes the size: no other reply is believed until it is back.
    public synchronized void sizeChanging(boolean now) {
        sizeChanging = now;
    }

    /// Something of ours has changed these parts.
    public synchronized void changed(Set<Part> parts) {
        changed.addAll(parts);
    }

    /// A name of the file is gone.
    public synchronized void lostName(boolean directory) {
        version = terms.changes().incrementAndGet();
        attr = Attrs.withLinks(attr, directory ? 0 : Math.max(0, attr.nlink() - 1));
        changed.add(Part.CHANGE_TIME);
    }

    /// Whether a write needs no thought of set-ID bits and capabilities (S_NOSEC in Linux).
    public synchronized boolean nothingToKill() {
        return nothingToKill;
    }

    /// It needs none, until the next attributes come.
    public synchronized void rememberNothingToKill() {
        nothingToKill = true;
    }
}
