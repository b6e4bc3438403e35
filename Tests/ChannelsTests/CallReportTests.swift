import ChannelTestSupport
import Channels
import Devices
import Engine
import TestSupport
import Testing

/// Statistics of a call in a channel: its users, and the quality of each user's own paths.
@Suite(.timeLimit(.minutes(5))) struct CallReportTests {
  @Test("the number of users is that of the channel", .shows("D9"))
  func users() throws {
    let rig = try EngineRig()
    defer { rig.finish() }
    try rig.start()
    let log = DelegateMethods()
    rig.engine.delegate = log
    // Nobody's sound comes: the users count, and not their streams.
    let options = ChannelMediaOptions(autoSubscribesAudio: false, role: .broadcaster)
    try rig.engine.join(channel: "lobby", token: "", user: .uid(7), options: options, completion: nil)
    rig.run(to: 2.5)
    for uid in 8...10 {
      let peer = try rig.addPeer(DelegateLog())
      try peer.join(channel: "lobby", token: "", user: .uid(UInt32(uid)), options: .broadcaster, completion: nil)
    }
    rig.run(to: 6.5)
    #expect(log.details("reportRtcStats").first == "1" && log.details("reportRtcStats").last == "4")
    #expect(rig.engine.callStatistics?.userCount == 4)
  }

  @Test("each user's own quality comes through the relay", .shows("D10"))
  func quality() throws {
    let rig = try EngineRig()
    defer { rig.finish() }
    try rig.start()
    let (log, far) = (DelegateMethods(), DelegateMethods())
    rig.engine.delegate = log
    let peer = try rig.addPeer(far)
    rig.devices.plug(VirtualDevice(id: "line", direction: .capture))
    try peer.pipeline.setLocalSource(.device("line", of: rig.devices))
    try rig.engine.join(channel: "lobby", token: "", user: .uid(7), options: .broadcaster, completion: nil)
    try peer.join(channel: "lobby", token: "", user: .uid(9), options: .broadcaster, completion: nil)
    rig.run(to: 9)
    // Each end names its own grades, and the other end has the same.
    for (own, other, uid) in [(log, far, 7), (far, log, 9)] {
      let local = try #require(own.details("networkQuality").last { $0.hasPrefix("0 ") })
      #expect(local == "0 1 1")
      #expect(other.details("networkQuality").last { $0.hasPrefix("\(uid) ") } == "\(uid) 1 1")
    }
    // One who sends nothing has no quality of sending.
    peer.muteLocalAudio(true)
    rig.run(to: 15)
    #expect(far.details("networkQuality").last { $0.hasPrefix("0 ") } == "0 0 1")
    #expect(log.details("networkQuality").last { $0.hasPrefix("9 ") } == "9 0 1")
  }

  @Test("a user without a stream here has a quality, too", .shows("D10"))
  func unsubscribed() throws {
    let rig = try EngineRig()
    defer { rig.finish() }
    try rig.start()
    let log = DelegateMethods()
    rig.engine.delegate = log
    let options = ChannelMediaOptions(autoSubscribesAudio: false, role: .broadcaster)
    try rig.engine.join(channel: "lobby", token: "", user: .uid(7), options: options, completion: nil)
    let peer = try rig.addPeer(DelegateLog())
    try peer.join(channel: "lobby", token: "", user: .uid(9), options: .broadcaster, completion: nil)
    rig.run(to: 9)
    #expect(log.details("networkQuality").last { $0.hasPrefix("9 ") } == "9 0 1")
  }

  @Test("an engine with further channels only has reports, too", .shows("D9", "D10"))
  func further() throws {
    let rig = try EngineRig()
    defer { rig.finish() }
    try rig.start()
    let (log, far) = (DelegateMethods(), DelegateMethods())
    _ = try rig.engine.joinEx(
      channel: "hall", token: "", user: .uid(7), options: .broadcaster, delegate: log)
    let peer = try rig.addPeer(far)
    try peer.join(channel: "hall", token: "", user: .uid(9), options: .audience, completion: nil)
    rig.run(to: 7)
    #expect(log.details("reportRtcStats").last == "1" && log.names.contains("localAudioStats"))
    #expect(far.details("networkQuality").last { $0.hasPrefix("7 ") } == "7 1 0")
  }
}
