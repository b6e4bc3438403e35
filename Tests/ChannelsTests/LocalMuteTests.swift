import AudioGraph
import ChannelTestSupport
import Channels
import Devices
import Engine
import TestSupport
import Testing

/// The two mutes of the local voice, the engine's and the pipeline's, and the microphone.
@Suite(.timeLimit(.minutes(5))) struct LocalMuteTests {
  enum Mute: CaseIterable {
    case engine
    case pipeline

    func set(_ isMuted: Bool, _ engine: RtcEngine) throws {
      switch self {
      case .engine: engine.muteLocalAudio(isMuted)
      case .pipeline: try engine.pipeline.muteLocalAudioStream(isMuted)
      }
    }
  }

  @Test("both mutes do the same, here and for the others", .shows("G5", "D7", "V5"), arguments: Mute.allCases)
  func same(mute: Mute) throws {
    let rig = try EngineRig()
    defer { rig.finish() }
    try rig.start()
    let (log, far) = (DelegateMethods(), DelegateMethods())
    rig.engine.delegate = log
    let peer = try rig.addPeer(far)
    try rig.engine.join(channel: "lobby", token: "", user: .uid(7), options: .broadcaster, completion: nil)
    try peer.join(channel: "lobby", token: "", user: .uid(9), options: .audience, completion: nil)
    try rig.engine.pipeline.setVolumeReports(every: .milliseconds(100))
    rig.run(to: 1)
    try mute.set(true, rig.engine)
    rig.run(to: 1.1)
    let connection = try #require(rig.engine.connection)
    let (packets, reports) = (connection.sentPacketCount, log.details("reportAudioVolumeIndicationOfSpeakers").count)
    rig.run(to: 2)
    #expect(connection.sentPacketCount == packets && packets > 40)
    #expect(rig.recordedTone(0.5..<0.9) > 0.4 && rig.recordedSampleCount < Int(1.1 * 48_000))
    // Remote reports alone go on.
    #expect(log.details("reportAudioVolumeIndicationOfSpeakers").count - reports <= 10)
    #expect(far.details("didAudioMuted") == ["7 true"] && rig.devices.isOpen("mic"))
    try mute.set(false, rig.engine)
    rig.run(to: 3)
    #expect(connection.sentPacketCount > packets + 40 && far.details("didAudioMuted") == ["7 true", "7 false"])
  }

  @Test("a mute before the join is the channel's", .shows("G5"), arguments: Mute.allCases)
  func before(mute: Mute) throws {
    let rig = try EngineRig()
    defer { rig.finish() }
    try rig.start()
    try mute.set(true, rig.engine)
    try rig.engine.join(channel: "lobby", token: "", user: .uid(7), options: .broadcaster, completion: nil)
    let far = DelegateMethods()
    let peer = try rig.addPeer(far)
    try peer.join(channel: "lobby", token: "", user: .uid(9), options: .audience, completion: nil)
    rig.run(to: 1)
    #expect(rig.engine.connection?.sentPacketCount == 0 && peer.users.map(\.muted) == [true])
    try mute.set(false, rig.engine)
    rig.run(to: 2)
    #expect(far.details("didAudioMuted").last == "7 false" && rig.engine.connection?.sentPacketCount ?? 0 > 40)
  }

  @Test("RECORD continues until every channel has muted the voice", .shows("G5"))
  func several() throws {
    let rig = try EngineRig()
    defer { rig.finish() }
    try rig.start()
    try rig.engine.join(channel: "red", token: "", user: .uid(7), options: .broadcaster, completion: nil)
    let blue = try rig.engine.joinEx(channel: "blue", token: "", user: .uid(7), options: .broadcaster)
    rig.run(to: 1)
    rig.engine.muteLocalAudio(true)
    rig.run(to: 2)
    #expect(rig.recordedTone(1.2..<1.9) > 0.4)
    blue.muteLocalAudio(true)
    rig.run(to: 3)
    #expect(rig.recordedSampleCount < Int(2.1 * 48_000))
    rig.engine.muteLocalAudio(false)
    rig.run(to: 4)
    #expect(rig.recordedSampleCount > Int(2.8 * 48_000))
  }

  @Test("disabled capture closes the microphone, and a mute does not", .shows("G5", "D4"))
  func capture() throws {
    let rig = try EngineRig()
    defer { rig.finish() }
    try rig.start()
    rig.run(to: 0.5)
    #expect(rig.devices.isOpen("mic"))
    try rig.engine.pipeline.muteLocalAudioStream(true)
    rig.run(to: 1)
    #expect(rig.devices.isOpen("mic"))
    try rig.engine.pipeline.muteLocalAudioStream(false)
    try rig.engine.pipeline.enableLocalAudio(false)
    rig.run(to: 1.5)
    #expect(!rig.devices.isOpen("mic"))
    try rig.engine.pipeline.enableLocalAudio(true)
    rig.run(to: 3)
    #expect(rig.devices.isOpen("mic") && rig.newestRecordedTone(0.5) > 0.4)
    try rig.engine.pipeline.disableAudio()
    rig.run(to: 3.5)
    #expect(!rig.devices.isOpen("mic"))
    #expect(rig.log.calls.filter { $0.hasPrefix("local") } == ["local 1/0", "local 0/0", "local 1/0", "local 0/0"])
  }

  @Test("the last channel's leave closes the microphone, unless told otherwise", .shows("C1"))
  func leave() throws {
    let rig = try EngineRig()
    defer { rig.finish() }
    try rig.start()
    try rig.engine.join(channel: "red", token: "", user: .uid(7), options: .broadcaster, completion: nil)
    let blue = try rig.engine.joinEx(channel: "blue", token: "", user: .uid(7), options: .broadcaster)
    rig.run(to: 1)
    blue.leave()
    rig.run(to: 2)
    // The main channel needs it.
    #expect(rig.devices.isOpen("mic"))
    rig.engine.leave()
    rig.run(to: 3)
    #expect(!rig.devices.isOpen("mic"))
    let green = try rig.engine.joinEx(channel: "green", token: "", user: .uid(7), options: .broadcaster)
    rig.run(to: 4)
    #expect(rig.devices.isOpen("mic") && green.sentPacketCount > 0)
    rig.engine.leaveChannelEx(green, options: LeaveOptions(stopsMicrophone: false))
    rig.run(to: 5)
    #expect(rig.devices.isOpen("mic"))
  }

  @Test("a mute ends with its source, for the others, too", .shows("G5", "D7"))
  func removed() throws {
    let rig = try EngineRig()
    defer { rig.finish() }
    try rig.start()
    let far = DelegateMethods()
    let peer = try rig.addPeer(far)
    try rig.engine.join(channel: "lobby", token: "", user: .uid(7), options: .broadcaster, completion: nil)
    try peer.join(channel: "lobby", token: "", user: .uid(9), options: .audience, completion: nil)
    rig.run(to: 1)
    try rig.engine.pipeline.muteLocalAudioStream(true)
    rig.run(to: 2)
    try rig.engine.pipeline.local.remove()
    rig.run(to: 2.5)
    try rig.engine.pipeline.setLocalSource(.device("mic", of: rig.devices))
    let count = try #require(rig.engine.connection).sentPacketCount
    rig.run(to: 4)
    #expect(try #require(rig.engine.connection).sentPacketCount > count + 40)
    #expect(far.details("didAudioMuted") == ["7 true", "7 false"])
  }

  @Test("the end of an engine opens the microphone of a program's pipeline", .shows("C1", "C19"))
  func destroyed() throws {
    let rig = try EngineRig()
    defer { rig.finish() }
    try rig.start()
    try rig.engine.join(channel: "red", token: "", user: .uid(7), options: .broadcaster, completion: nil)
    rig.run(to: 1)
    rig.engine.leave()
    rig.run(to: 2)
    #expect(!rig.devices.isOpen("mic"))
    rig.engine.destroy()
    rig.engine.muteLocalAudio(true)
    rig.run(to: 4)
    #expect(rig.devices.isOpen("mic") && rig.newestRecordedTone(0.5) > 0.4)
  }
}
