import ChannelTestSupport
import Devices
import Engine
import Platform
import TestSupport
import Testing

@testable import Calls

/// The interface around calls: its beginning and end, its tokens, and its errors.
@Suite(.timeLimit(.minutes(5))) struct CallInterfaceTests {
  @Test("a second initialize is ignored with a warning", .shows("K1"))
  func twice() throws {
    let rig = try CallRig()
    defer { rig.finish() }
    try rig.begin()
    rig.ann.clear()
    let other = RecordingClient()
    try rig.ann.calls.initialize(CallConfig(userID: 9, engine: rig.ann.engine, signalClient: other))
    rig.run(for: 0.1)
    #expect(rig.ann.texts == ["log 1 initialize is called again, and ignored; deinitialize first"])
    rig.ann.calls.call(7, type: .audio, completion: rig.ann.outcome("call"))
    rig.run(for: 0.5)
    // The first configuration counts.
    #expect(rig.bob.calls.callState == .calling && other.messages == [])
  }

  @Test("wrong configurations are refused with a sentence", .shows("K1"))
  func configurations() throws {
    let rig = try CallRig()
    defer { rig.finish() }
    let calls = CallAPI()
    let client = RecordingClient()
    for config in [
      CallConfig(userID: 0, engine: rig.ann.engine, signalClient: client),
      CallConfig(appID: "other", userID: 5, engine: rig.ann.engine, signalClient: client),
    ] {
      let error = #expect(throws: CallError.self) { try calls.initialize(config) }
      #expect(error?.type == .normal && error?.code == ChannelErrorCode.invalidArgument.rawValue)
    }
    try calls.initialize(CallConfig(appID: "app", userID: 5, engine: rig.ann.engine, signalClient: client))
    #expect(calls.callState == .idle && calls.getCallId() == "")
  }

  @Test("each call before initialize is refused", .shows("K1", "K3"))
  func before() {
    let calls = CallAPI()
    let errors = Guarded<[CallError]>([])
    let take: CallAPI.Completion = { result in
      if case .failure(let error) = result { errors.withLock { $0.append(error) } }
    }
    calls.prepareForCall(PrepareConfig(roomID: "r", rtcToken: ""), completion: take)
    calls.call(7, type: .audio, completion: take)
    calls.cancelCall(completion: take)
    calls.accept(7, completion: take)
    calls.reject(7, completion: take)
    calls.hangup(7, completion: take)
    let ended = Guarded(false)
    calls.deinitialize { ended.withLock { $0 = true } }
    #expect(errors.withLock { $0.map(\.code) } == Array(repeating: ChannelErrorCode.wrongState.rawValue, count: 6))
    #expect(ended.withLock { $0 })
  }

  @Test("deinitialize hangs up, and completes behind the message", .shows("K1"))
  func deinitialize() throws {
    let rig = try CallRig(delayMilliseconds: 100)
    defer { rig.finish() }
    rig.bob.accepts.withLock { $0 = true }
    try rig.begin()
    rig.ann.calls.call(7, type: .audio, completion: nil)
    rig.run(for: 3)
    #expect(rig.ann.calls.callState == .connected && rig.bob.calls.callState == .connected)
    rig.ann.clear()
    rig.ann.calls.deinitialize { [ann = rig.ann] in ann.note("done") }
    rig.run(for: 0.15)
    #expect(rig.ann.numbers == ["1/9", "105", "0/0", "1"] && !rig.ann.texts.contains("done"), "\(rig.ann.texts)")
    rig.run(for: 1)
    #expect(rig.ann.texts.contains("done") && rig.bob.calls.callState == .prepared)
    #expect(rig.bob.texts.contains("106") && rig.microphones == [false, false])
    // It can begin again.
    try rig.ann.calls.initialize(CallConfig(userID: 5, engine: rig.ann.engine, signalClient: RecordingClient()))
    #expect(rig.ann.calls.callState == .idle)
  }

  @Test("an interface that is given up hangs up and leaves the room", .shows("K1"))
  func givenUp() throws {
    let rig = try CallRig()
    defer { rig.finish() }
    try rig.begin()
    do {
      let third = try rig.addUser(9)
      rig.run(for: 1)
      rig.ann.accepts.withLock { $0 = true }
      third.calls.call(5, type: .audio, completion: nil)
      rig.run(for: 1)
      #expect(rig.ann.calls.callState == .connected && third.calls.callState == .connected)
      rig.removeUser(9)
    }
    rig.run(for: 0.2)
    #expect(rig.ann.calls.callState == .prepared && rig.ann.texts.contains("106"), "\(rig.ann.texts)")
  }

  @Test("listeners are called until they are removed, and not retained", .shows("K1", "K8"))
  func listeners() throws {
    let rig = try CallRig()
    defer { rig.finish() }
    try rig.begin()
    let calls = rig.ann.calls
    weak var gone: CountingListener?
    let (kept, removed) = (CountingListener(), CountingListener())
    do {
      let short = CountingListener()
      for listener in [kept, kept, removed, short] { calls.addListener(listener) }
      gone = short
    }
    #expect(gone == nil)
    calls.removeListener(removed)
    calls.call(7, type: .audio, completion: nil)
    rig.run(for: 0.2)
    #expect(kept.count.withLock { $0 } == 1 && removed.count.withLock { $0 } == 0)
  }

  @Test("a preparation that the relay refuses is failed with its cause", .shows("K2", "K7"))
  func refused() throws {
    let rig = try CallRig()
    defer { rig.finish() }
    try rig.begin()
    rig.ann.clear()
    rig.ann.calls.prepareForCall(
      PrepareConfig(roomID: "r", rtcToken: "nonsense"), completion: rig.ann.outcome("prepare"))
    rig.run(for: 2)
    #expect(rig.ann.numbers == ["10/0"] && rig.ann.calls.callState == .failed, "\(rig.ann.texts)")
    #expect(rig.ann.texts.contains { $0.hasPrefix("error 100 100 -110 ") }, "\(rig.ann.texts)")
    #expect(rig.ann.texts.contains("prepare: 100 -110"))
    rig.ann.prepare()
    rig.run(for: 1)
    #expect(rig.ann.calls.callState == .prepared)
  }

  @Test("wrong settings of a preparation are named", .shows("K2"))
  func settings() throws {
    let rig = try CallRig()
    defer { rig.finish() }
    try rig.begin()
    rig.ann.clear()
    for config in [
      PrepareConfig(roomID: "", rtcToken: ""), PrepareConfig(roomID: "r", rtcToken: "", callTimeoutMilliseconds: -1),
      PrepareConfig(roomID: "r", rtcToken: "", userExtension: String(repeating: "x", count: 4_097)),
    ] {
      rig.ann.calls.prepareForCall(config, completion: rig.ann.outcome("prepare"))
    }
    rig.run(for: 0.1)
    #expect(rig.ann.texts.count { $0 == "prepare: 0 -2" } == 3, "\(rig.ann.texts)")
  }

  @Test("simultaneous calls end in one connected call", .shows("K10"))
  func simultaneous() throws {
    let rig = try CallRig(delayMilliseconds: 20)
    defer { rig.finish() }
    try rig.begin()
    for (partner, peer) in [(rig.ann, 7), (rig.bob, 5)] as [(CallPartner, UInt32)] {
      partner.clear()
      partner.calls.call(peer, type: .audio, completion: partner.outcome("call"))
    }
    rig.run(for: 2)
    #expect(rig.ann.calls.callState == .connected && rig.bob.calls.callState == .connected)
    #expect(rig.ann.calls.getCallId() == rig.bob.calls.getCallId())
    let rooms = Set(
      (rig.ann.texts + rig.bob.texts).compactMap { $0.hasPrefix("connected") ? $0.split(separator: " ")[1] : nil })
    #expect(rooms.count == 1)
    #expect(rig.heard(by: 5, from: 0) != nil && rig.heard(by: 7, from: 0) != nil)
  }

  @Test("a user that is muted is connected, and heard once it speaks", .shows("K4"))
  func muted() throws {
    let rig = try CallRig()
    defer { rig.finish() }
    rig.bob.accepts.withLock { $0 = true }
    try rig.begin()
    try rig.bob.engine.pipeline.muteLocalAudioStream(true)
    rig.ann.calls.call(7, type: .audio, completion: nil)
    rig.run(for: 3)
    #expect(rig.ann.calls.callState == .connected && rig.bob.calls.callState == .connected, "\(rig.ann.texts)")
    #expect(rig.heard(by: 5, from: 0) == nil && !rig.ann.texts.contains("113"))
    try rig.bob.engine.pipeline.muteLocalAudioStream(false)
    rig.run(for: 1)
    #expect(rig.heard(by: 5, from: 0) != nil && rig.ann.texts.contains("113"), "\(rig.ann.texts)")
  }

  @Test("a user without a source is connected", .shows("K4"))
  func silent() throws {
    let rig = try CallRig()
    defer { rig.finish() }
    try rig.bob.engine.pipeline.local.remove()
    try rig.connect()
    #expect(rig.ann.calls.callState == .connected && rig.ann.texts.contains("113"), "\(rig.ann.texts)")
    // A source may come during the call.
    try rig.bob.engine.pipeline.setLocalSource(.device("mic7", of: rig.rig.devices))
    let now = Int(rig.rig.seconds * 1_000)
    rig.run(for: 1)
    #expect(rig.heard(by: 5, from: now) != nil)
    rig.bob.calls.hangup(5, completion: nil)
    rig.run(for: 0.5)
    try rig.bob.engine.pipeline.local.remove()
  }

  @Test("leaving all channels of the engine ends the call", .shows("K3"))
  func left() throws {
    let rig = try CallRig()
    defer { rig.finish() }
    try rig.connect()
    rig.ann.engine.leave()
    rig.run(for: 0.5)
    #expect(rig.ann.calls.callState == .prepared && rig.bob.calls.callState == .prepared, "\(rig.ann.texts)")
  }
}

/// A carrier that keeps messages.
private final class RecordingClient: SignalClient {
  private let sent = Guarded<[String]>([])
  var messages: [String] { sent.withLock { $0 } }

  func sendMessage(
    _ message: String, to userID: String, expiry: Duration,
    completion: @escaping @Sendable (Result<Void, SignalError>) -> Void
  ) {
    sent.withLock { $0.append(message) }
  }
  func addListener(_ listener: any SignalListener) {}
  func removeListener(_ listener: any SignalListener) {}
}

/// A listener that counts states.
private final class CountingListener: CallListener {
  let count = Guarded(0)
  func onCallStateChanged(
    _ state: CallState, reason: CallStateReason, eventReason: String, eventInfo: [String: String]
  ) {
    count.withLock { $0 += 1 }
  }
}
