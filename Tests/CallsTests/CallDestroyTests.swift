import ChannelTestSupport
import Devices
import Engine
import Platform
import TestSupport
import Testing

@testable import Calls

/// Ends of the engine, calls from within listeners, and news that the machine passes on alone.
@Suite(.timeLimit(.minutes(5))) struct CallDestroyTests {
  @Test(
    "an end of the engine completes each call that waits", .shows("K1", "K3"), arguments: ["prepare", "call", "talk"])
  func destroyed(phase: String) throws {
    let rig = try CallRig(delayMilliseconds: 200)
    rig.bob.accepts.withLock { $0 = true }
    try rig.begin()
    rig.ann.clear()
    switch phase {
    case "prepare": rig.ann.prepare()
    case "call": rig.ann.calls.call(7, type: .audio, completion: rig.ann.outcome("call"))
    default:
      rig.ann.calls.call(7, type: .audio, completion: nil)
      rig.run(for: 3)
      rig.ann.calls.hangup(7, completion: rig.ann.outcome("hangup"))
    }
    rig.ann.engine.destroy()
    rig.ann.calls.step()
    let ended = rig.ann.texts.filter { $0.hasSuffix(": 100 -7") }
    #expect(ended.count == 1, "\(rig.ann.texts)")
    // Later calls fail at once.
    rig.ann.calls.call(7, type: .audio, completion: rig.ann.outcome("later"))
    #expect(rig.ann.texts.contains("later: 100 -7"))
    let done = Guarded(false)
    rig.ann.calls.deinitialize { done.withLock { $0 = true } }
    #expect(done.withLock { $0 })
  }

  @Test("a listener may end the calls, and a completion may begin the next", .shows("K1", "K8"))
  func reentrant() throws {
    let rig = try CallRig()
    defer { rig.finish() }
    try rig.begin()
    let calls = rig.ann.calls
    let next: CallAPI.Completion = { [ann = rig.ann] _ in
      ann.calls.cancelCall { _ in ann.calls.call(7, type: .audio, completion: ann.outcome("second")) }
    }
    calls.call(7, type: .audio, completion: next)
    rig.run(for: 1)
    #expect(rig.ann.texts.contains("second: ok") && rig.bob.calls.callState == .calling, "\(rig.ann.texts)")
    let ender = EndingListener(rig.bob.calls)
    rig.bob.calls.addListener(ender)
    calls.cancelCall(completion: nil)
    rig.run(for: 1)
    #expect(rig.bob.calls.callState == .idle && ender.isDone.withLock { $0 })
  }

  @Test("a token that the relay refuses does not end a call", .shows("K1"))
  func token() throws {
    let rig = try CallRig()
    defer { rig.finish() }
    try rig.connect()
    #expect(rig.ann.calls.callState == .connected)
    // A relay without tokens refuses one, and the call goes on.
    rig.ann.calls.renewToken("other")
    rig.run(for: 1)
    #expect(rig.ann.calls.callState == .connected)
  }

  @Test("a device that fails during a call is told", .shows("K7"))
  func device() throws {
    let rig = try CallRig()
    defer { rig.finish() }
    try rig.connect()
    rig.rig.devices.unplug("mic")
    rig.run(for: 2)
    #expect(rig.ann.texts.count { $0.hasPrefix("error 110 100 6 ") } == 1, "\(rig.ann.texts)")
    #expect(rig.ann.calls.callState == .connected)
  }

  @Test("the short form of commercial interfaces means video, and is refused", .shows("K3"))
  @available(*, deprecated)
  func short() throws {
    let rig = try CallRig()
    defer { rig.finish() }
    try rig.begin()
    rig.ann.clear()
    rig.ann.calls.call(remoteUserId: 7, completion: rig.ann.outcome("call"))
    rig.run(for: 0.5)
    #expect(rig.ann.texts == ["call: 0 -2"] && rig.bob.calls.callState == .prepared)
  }

  @Test("a third user of the room is told of, and not heard", .shows("K8"))
  func third() throws {
    let rig = try CallRig()
    defer { rig.finish() }
    try rig.connect()
    let eve = try rig.rig.addPeer(DelegateLog(), channelCount: 1)
    _ = try eve.joinEx(
      channel: "room-5-1", token: "", user: .uid(9),
      options: ChannelMediaOptions(role: .broadcaster, profile: .communication))
    rig.run(for: 2)
    #expect(rig.ann.texts.contains { $0.hasPrefix("log 1 user 9 is in the room") }, "\(rig.ann.texts)")
    #expect(rig.speakers(heardBy: 5) == [7])
  }
}

/// A listener that ends the calls at the end of a call.
private final class EndingListener: CallListener {
  private let calls: CallAPI
  let isDone = Guarded(false)

  init(_ calls: CallAPI) { self.calls = calls }

  func onCallStateChanged(
    _ state: CallState, reason: CallStateReason, eventReason: String, eventInfo: [String: String]
  ) {
    if state == .prepared { calls.deinitialize { [isDone] in isDone.withLock { $0 = true } } }
  }
}
