import Glibc
import Platform

/// Counter of changes of the files of the cards, `/dev/snd`: cards that come, go, or get their permissions.
///
/// Thread: any. A read costs one system call.
final class DeviceWatch: Sendable {
  private struct State {
    var descriptor: Int32
    var folderWatch: Int32 = -1
    var count = 0
  }

  // inotify_event without the name: watch, mask, cookie, length of the name.
  private static let headerByteCount = 16

  private let parent: String
  private let folder: String
  private let state: Guarded<State>

  /// Watches the folder `folder` of `parent`; the folder may be missing, and may come later.
  init(parent: String = "/dev", folder: String = "snd") {
    self.parent = parent
    self.folder = folder
    // Without a descriptor, the count stays 0.
    var state = State(descriptor: inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC)))
    inotify_add_watch(state.descriptor, parent, UInt32(IN_CREATE | IN_MOVED_TO))
    Self.watchFolder("\(parent)/\(folder)", &state)
    self.state = Guarded(state)
  }

  deinit { state.withLock { _ = Glibc.close($0.descriptor) } }

  /// Number of changes so far.
  var count: Int {
    state.withLock { state in
      withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
        while true {
          let length = Glibc.read(state.descriptor, buffer.baseAddress, buffer.count)
          guard length > 0 else { return state.count }
          count(UnsafeRawBufferPointer(rebasing: buffer[..<length]), &state)
        }
      }
    }
  }

  private func count(_ events: UnsafeRawBufferPointer, _ state: inout State) {
    var offset = 0
    while offset + Self.headerByteCount <= events.count {
      let watch = events.loadUnaligned(fromByteOffset: offset, as: Int32.self)
      let mask = events.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
      let nameByteCount = Int(events.loadUnaligned(fromByteOffset: offset + 12, as: UInt32.self))
      let nameStart = offset + Self.headerByteCount
      offset = nameStart + nameByteCount
      guard offset <= events.count else { return }
      if mask & UInt32(IN_Q_OVERFLOW) != 0 {
        state.count += 1
      } else if watch == state.folderWatch {
        state.count += 1
        if mask & UInt32(IN_IGNORED) != 0 { state.folderWatch = -1 }
      } else if events[nameStart..<offset].prefix(while: { $0 != 0 }).elementsEqual(folder.utf8) {
        state.count += 1
        Self.watchFolder("\(parent)/\(folder)", &state)
      }
    }
  }

  private static func watchFolder(_ path: String, _ state: inout State) {
    let changes = IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF
    // udev sets the permissions of a file some time after its creation.
    state.folderWatch = inotify_add_watch(state.descriptor, path, UInt32(changes | IN_ATTRIB))
  }
}
