import ChannelTestSupport
import Channels
import NetworkIO
import Platform
import TestSupport
import Testing

/// The kind of network on the route to the relay, and joins that the system gives nothing for.
@Suite(.timeLimit(.minutes(5))) struct NetworkTypeTests {
  @Test("another kind of network is reported within 2 s, and each change once", .shows("D2"))
  func changes() throws {
    let (type, log) = (Guarded(NetworkType.lan), DelegateMethods())
    let rig = try EngineRig(change: { options in options.environment.networkType = { _ in type.withLock { $0 } } })
    defer { rig.finish() }
    try rig.start()
    rig.engine.delegate = log
    rig.run(to: 3)
    #expect(log.details("networkTypeChanged") == [])
    try rig.engine.join(channel: "lobby", token: "", user: .uid(7), completion: nil)
    for (index, next) in [NetworkType.wifi, .mobile, .disconnected, .lan].enumerated() {
      rig.run(to: 6 + 3 * Double(index))
      type.withLock { $0 = next }
    }
    rig.run(to: 20)
    #expect(log.details("networkTypeChanged") == ["1", "2", "5", "0", "1"])
    #expect(NetworkType.unknown.rawValue == -1)
  }

  @Test("the route to this machine itself is a LAN")
  func loopback() throws {
    #expect(NetworkType(toward: try SocketAddress("127.0.0.1:4000")) == .lan)
    // Documentation addresses of IPv6 have a route only where a machine has IPv6.
    #expect([.disconnected, .lan, .wifi, .mobile].contains(NetworkType(toward: try SocketAddress("[2001:db8::1]:1"))))
  }

  @Test("a join without a socket is error 1002, and throws -3", .shows("D1", "C5"))
  func noSocket() throws {
    let log = DelegateMethods()
    let rig = try EngineRig(change: { options in
      options.environment.makeMedia = { _ throws(ChannelError) in
        throw ChannelError(.notReady, "the system gives no UDP socket; raise ulimit -n")
      }
    })
    defer { rig.finish() }
    try rig.start()
    rig.engine.delegate = log
    let error = #expect(throws: ChannelError.self) {
      try rig.engine.join(channel: "lobby", token: "", user: .uid(7), completion: nil)
    }
    rig.run(to: 0.1)
    #expect(error?.code.rawValue == -3 && log.details("didOccurError") == ["1002"])
    let other = DelegateMethods()
    #expect(throws: ChannelError.self) {
      try rig.engine.joinEx(channel: "hall", token: "", user: .uid(7), delegate: other)
    }
    rig.run(to: 0.2)
    #expect(other.details("didOccurError") == ["1002"])
  }
}
