import Glibc
import Testing

@testable import Devices

@Suite(.timeLimit(.minutes(10)))
struct DeviceWatchTests {
  /// A folder that is removed at the end.
  private func withFolder(_ body: (String) throws -> Void) rethrows {
    var template = Array("/tmp/devices.XXXXXX".utf8CString)
    let path = template.withUnsafeMutableBufferPointer { String(cString: mkdtemp($0.baseAddress!)) }
    defer {
      unlink("\(path)/snd/controlC0")
      rmdir("\(path)/snd")
      rmdir(path)
    }
    try body(path)
  }

  private func make(_ path: String) {
    close(creat(path, 0o600))
  }

  @Test("a card that comes or goes is counted")
  func cards() {
    withFolder { path in
      mkdir("\(path)/snd", 0o700)
      let watch = DeviceWatch(parent: path)
      #expect(watch.count == 0)
      make("\(path)/snd/controlC0")
      #expect(watch.count == 1)
      #expect(watch.count == 1)
      unlink("\(path)/snd/controlC0")
      #expect(watch.count == 2)
    }
  }

  @Test("a late permission is counted")
  func permission() {
    withFolder { path in
      mkdir("\(path)/snd", 0o700)
      make("\(path)/snd/controlC0")
      let watch = DeviceWatch(parent: path)
      chmod("\(path)/snd/controlC0", 0o660)
      #expect(watch.count == 1)
    }
  }

  @Test("a folder that comes later is watched, also the second time")
  func lateFolder() {
    withFolder { path in
      let watch = DeviceWatch(parent: path)
      for _ in 0..<2 {
        let before = watch.count
        mkdir("\(path)/snd", 0o700)
        let created = watch.count
        #expect(created > before)
        make("\(path)/snd/controlC0")
        let filled = watch.count
        #expect(filled > created)
        unlink("\(path)/snd/controlC0")
        rmdir("\(path)/snd")
        #expect(watch.count > filled)
      }
    }
  }

  @Test("other files of the parent are not counted")
  func otherFiles() {
    withFolder { path in
      let watch = DeviceWatch(parent: path)
      make("\(path)/null")
      unlink("\(path)/null")
      #expect(watch.count == 0)
    }
  }

  @Test("access to cards is absent, forbidden or allowed")
  func access() {
    withFolder { path in
      #expect(DeviceFiles.access(in: "\(path)/snd") == .absent)
      mkdir("\(path)/snd", 0o700)
      #expect(DeviceFiles.access(in: "\(path)/snd") == .absent)
      make("\(path)/snd/controlC0")
      #expect(DeviceFiles.access(in: "\(path)/snd") == .allowed)
    }
  }
}
