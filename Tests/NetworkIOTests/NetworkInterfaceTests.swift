import Foundation
import Platform
import TestSupport
import Testing

@testable import NetworkIO

/// Interfaces by the files of the kernel.
@Suite(.timeLimit(.minutes(10))) struct NetworkInterfaceTests {
  /// Makes the files of an interface, as `/sys/class/net` has them.
  private static func medium(_ files: [String: String], folders: [String] = []) throws -> NetworkInterface.Medium {
    let root = FileManager.default.temporaryDirectory.appendingPathComponent("net-\(UUID())")
    let folder = root.appendingPathComponent("x0")
    defer { try? FileManager.default.removeItem(at: root) }
    for name in folders + [""] {
      try FileManager.default.createDirectory(
        at: folder.appendingPathComponent(name), withIntermediateDirectories: true)
    }
    for (name, text) in files {
      try text.write(to: folder.appendingPathComponent(name), atomically: true, encoding: .utf8)
    }
    return NetworkInterface(name: "x0", root: root.path).medium
  }

  @Test("an interface is wired, wireless or mobile by the kernel's files")
  func media() throws {
    #expect(try Self.medium(["uevent": "INTERFACE=x0\nIFINDEX=4\n", "type": "1\n"]) == .wired)
    #expect(try Self.medium([:]) == .wired)
    #expect(try Self.medium(["uevent": "DEVTYPE=bridge\nINTERFACE=x0\n"]) == .wired)
    #expect(try Self.medium(["uevent": "DEVTYPE=wlan\nINTERFACE=x0\n", "type": "1\n"]) == .wireless)
    #expect(try Self.medium(["uevent": "INTERFACE=x0\n"], folders: ["wireless"]) == .wireless)
    #expect(try Self.medium(["uevent": "INTERFACE=x0\n"], folders: ["phy80211"]) == .wireless)
    #expect(try Self.medium(["uevent": "DEVTYPE=wwan\nINTERFACE=x0\n"]) == .mobile)
    #expect(try Self.medium(["uevent": "INTERFACE=x0\n", "type": "519\n"]) == .mobile)
  }

  @Test("the route to loopback has the interface lo")
  func route() throws {
    #expect(NetworkInterface(toward: try SocketAddress("127.0.0.1:9"))?.name == "lo")
  }
}
