package vitrine.guest;

import vitrine.fuse.FileSystem;
import vitrine.guest.driver.Doorbell;
import vitrine.guest.driver.RequestQueue;
import vitrine.guest.kernel.GuestKernel;
import vitrine.guest.kernel.rule.Decisions;
import vitrine.guest.tap.TappedDecisions;
import vitrine.guest.tap.TappedDoorbell;
import vitrine.guest.tap.TappedKernel;
import vitrine.guest.tap.TappedRequestQueue;
import vitrine.memory.SharedMemory;
import vitrine.posix.EventFd;
import vitrine.tap.TappedConnection;
import vitrine.tap.TappedDevice;
import vitrine.tap.TappedEventFd;
import vitrine.tap.TappedFileSystem;
import vitrine.tap.TappedMemory;
import vitrine.tap.TappedQueue;
import vitrine.trace.Actor;
import vitrine.trace.Recorder;
import vitrine.trace.TraceEvent.Area;
import vitrine.vhostuser.Connection;
import vitrine.vhostuser.VirtioDevice;
import vitrine.virtqueue.DeviceQueue;

/// Who watches a machine: every part passes through here once, while the machine is put together,
/// and comes out tapped or, without a recorder, as it was.
///
/// @param recorder null if nobody watches
record Onlooker(Recorder recorder) {

    private boolean absent() {
        return recorder == null;
    }

    private Recorder daemon() {
        return recorder.as(Actor.DAEMON);
    }

    GuestKernel tap(GuestKernel kernel) {
        return absent() ? kernel : TappedKernel.tap(kernel, recorder);
    }

    Decisions decisions() {
        return absent() ? Decisions.UNHEARD : new TappedDecisions(recorder);
    }

    RequestQueue tap(RequestQueue queue, int index, boolean indirect) {
        return absent() ? queue : new TappedRequestQueue(queue, index, indirect, recorder);
    }

    Doorbell tap(Doorbell doorbell, int index) {
        return absent() ? doorbell : new TappedDoorbell(doorbell, index, recorder);
    }

    SharedMemory tap(SharedMemory memory, Area area, int queue, Actor side) {
        return absent() ? memory : new TappedMemory(memory, area, queue, recorder.as(side));
    }

    FileSystem tap(FileSystem fileSystem) {
        return absent() ? fileSystem : new TappedFileSystem(fileSystem, daemon());
    }

    DeviceQueue tap(DeviceQueue queue, int index) {
        return absent() ? queue : new TappedQueue(queue, index, daemon());
    }

    EventFd tapCall(EventFd call, int index) {
        return absent() ? call : TappedEventFd.call(call, index, daemon());
    }

    VirtioDevice tap(VirtioDevice device) {
        return absent() ? device : new TappedDevice(device, daemon());
    }

    Connection tap(Connection connection) {
        return absent() ? connection : new TappedConnection(connection, daemon());
    }
}
