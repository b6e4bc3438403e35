import ChannelTestSupport
import Channels
import Platform
import Relay
import Signalling
import TestSupport
import Testing

/// Data streams by the calls and events of an engine.
@Suite(.timeLimit(.minutes(5))) struct DataStreamTests {
  private static func join(
    _ engine: RtcEngine, _ uid: UInt32, role: ClientRole = .broadcaster, token: String = ""
  ) throws {
    try engine.join(
      channel: "lobby", token: token, user: .uid(uid),
      options: ChannelMediaOptions(publishesAudio: false, role: role), completion: nil)
  }

  private static func token(_ rights: TokenRights, uid: UInt32 = 7) throws -> String {
    let token = try Token(
      app: AppID("app")!, scope: .channel(ChannelName("lobby")!), user: .uid(uid), role: .broadcaster,
      rights: rights, expires: Int64(EngineRig.unixSeconds) + 3_600)
    return TokenSigner(EngineRig.secret).sign(token)
  }

  private static func messages(_ log: DelegateLog) -> [String] { log.calls.filter { $0.hasPrefix("message") } }

  private static func code(_ body: () throws -> Void) -> ChannelErrorCode? {
    do { try body() } catch { return (error as? ChannelError)?.code }
    return nil
  }

  @Test("messages reach the other users' delegates in order", .shows("C17"))
  func delivery() throws {
    let rig = try EngineRig(delayMilliseconds: 20)
    defer { rig.finish() }
    let log = DelegateLog()
    let peer = try rig.addPeer(log)
    try rig.start()
    try Self.join(rig.engine, 7)
    try Self.join(peer, 8, role: .audience)
    rig.run(to: 1)
    let first = try rig.engine.createDataStream(reliable: true, ordered: true)
    let second = try rig.engine.createDataStream(reliable: false, ordered: false)
    #expect(first == 1 && second == 2)
    for text in ["a", "b", "c"] { try rig.engine.sendStreamMessage(first, data: Array(text.utf8)) }
    try rig.engine.sendStreamMessageEx(
      second, data: Array("d".utf8), connection: try #require(rig.engine.connection))
    rig.run(to: 1.2)
    let expected = ["message a of 7 on 1", "message b of 7 on 1", "message c of 7 on 1", "message d of 7 on 2"]
    #expect(Self.messages(log) == expected && Self.messages(rig.log) == [])
  }

  @Test("a message is refused with the number of its reason", .shows("C11", "C17"))
  func refusals() throws {
    let rig = try EngineRig()
    defer { rig.finish() }
    try rig.start()
    let engine = rig.engine
    #expect(Self.code { _ = try engine.createDataStream(reliable: true, ordered: true) } == .wrongState)
    #expect(Self.code { try engine.sendStreamMessage(1, data: [1]) } == .wrongState)
    try Self.join(engine, 7)
    let stream = try engine.createDataStream(reliable: true, ordered: true)
    #expect(Self.code { try engine.sendStreamMessage(stream, data: [1]) } == .wrongState)
    rig.run(to: 0.5)
    #expect(Self.code { try engine.sendStreamMessage(stream, data: []) } == .invalidArgument)
    #expect(
      Self.code { try engine.sendStreamMessage(stream, data: Array(repeating: 1, count: 1_025)) } == .invalidArgument)
    #expect(Self.code { try engine.sendStreamMessage(9, data: [1]) } == .invalidArgument)
    for _ in 0..<30 { try engine.sendStreamMessage(stream, data: [1]) }
    #expect(Self.code { try engine.sendStreamMessage(stream, data: [1]) } == .tooOften)
    for _ in 2...5 { _ = try engine.createDataStream(reliable: true, ordered: false) }
    #expect(Self.code { _ = try engine.createDataStream(reliable: true, ordered: true) } == .tooManyDataStreams)
    try engine.setClientRole(.audience)
    rig.run(to: 2)
    #expect(Self.code { try engine.sendStreamMessage(stream, data: [1]) } == .refused)
    engine.leave()
    #expect(Self.code { try engine.sendStreamMessage(stream, data: [1]) } == .wrongState)
  }

  @Test("a token without the right 'data' sends nothing until another has it", .shows("C17", "C20"))
  func right() throws {
    let rig = try EngineRig(needsToken: true)
    defer { rig.finish() }
    let log = DelegateLog()
    let peer = try rig.addPeer(log)
    try rig.start()
    let (weak, strong) = (try Self.token([.publish, .subscribe]), try Self.token([.publish, .subscribe, .data]))
    try Self.join(rig.engine, 7, token: weak)
    try Self.join(peer, 8, token: try Self.token([.subscribe, .publish], uid: 8))
    rig.run(to: 0.5)
    let stream = try rig.engine.createDataStream(reliable: true, ordered: true)
    let error = #expect(throws: ChannelError.self) { try rig.engine.sendStreamMessage(stream, data: [1]) }
    #expect(error?.code == .refused && error?.cause == .right && error?.message.contains("'data'") == true)
    // Another token gives the right to the same stream, without another join.
    try rig.engine.renewToken(strong)
    rig.run(to: 1)
    try rig.engine.sendStreamMessage(stream, data: Array("yes".utf8))
    rig.run(to: 1.5)
    #expect(Self.messages(log) == ["message yes of 7 on 1"])
    try rig.engine.renewToken(weak)
    rig.run(to: 2)
    #expect(Self.code { try rig.engine.sendStreamMessage(stream, data: [1]) } == .refused)
  }
}
