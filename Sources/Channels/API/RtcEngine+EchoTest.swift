import Engine
import Platform
import Signalling

/// A test of the path to the relay and back, before a join.
extension RtcEngine {
  /// Plays the sound of the local source again after an interval, through the relay: a speaking user hears itself.
  ///
  /// Two users of the engine join a channel of their own: one publishes the local source, the other one hears it. The
  /// return is a remote user of the pipeline: it is heard at `.playout` and `.playback`, and is not in RECORD. Until
  /// `stopEchoTest`, joins fail with `.wrongState`. Later faults, such as a refused token, are the delegate's
  /// `didOccurError` and `didOccurWarning`. Its `connectionStateChanged` has the states of the speaking user, with the
  /// reason `echoTest` until a failure or the end.
  ///
  /// - Parameters:
  ///   - interval: Time until the sound is heard again, 2 to 10 s; the delay of the path comes on top.
  ///   - token: Token for uid 0 and the role of a broadcaster, in a channel that nobody else has; the test takes the
  ///     channel's name from it. Empty at a relay that allows the app id alone: then the name is random.
  /// - Throws: `.wrongState` while a channel is joined or an echo test runs, `.invalidArgument` for the interval.
  public func startEchoTest(interval: Duration = .seconds(2), token: String = "") throws(ChannelError) {
    try checkNotDestroyed()
    guard interval >= .seconds(2), interval <= .seconds(10) else {
      throw ChannelError(.invalidArgument, "the interval of an echo test is 2 to 10 s; choose another")
    }
    let name = Self.channel(of: token) ?? randomName()
    try reserveEchoTest(name)
    do throws(ChannelError) {
      // The listener comes first, so that it misses nothing.
      for (media, hold) in [
        (ChannelMediaOptions(publishesAudio: false, role: .audience), interval),
        (ChannelMediaOptions(publishesAudio: true, autoSubscribesAudio: false, role: .broadcaster), .zero),
      ] {
        var options = options
        options.hold = hold
        let speaks = media.publishesAudio == true
        options.onEvent = { [weak self] _, event in self?.takeEcho(event, speaks: speaks) }
        let connection = try start(name, token, .uid(0), media, media.makeSettings(), nil, with: options)
        state.withLock { $0.echoTest?.connections.append(connection) }
      }
    } catch {
      try? stopEchoTest()
      throw error
    }
  }

  /// Ends the echo test. A join may follow at once.
  ///
  /// - Throws: `.refused` if no echo test runs.
  public func stopEchoTest() throws(ChannelError) {
    try checkNotDestroyed()
    let test = state.withLock { state in
      defer { state.echoTest = nil }
      return state.echoTest
    }
    guard let test else { throw ChannelError(.refused, "no echo test runs; start one first") }
    for connection in test.connections { connection.leave() }
  }

  /// The speaking user of an echo test that runs.
  var echoTestConnection: RtcConnection? { state.withLock { $0.echoTest?.connections.last } }

  /// Checks that a join is allowed.
  func checkNoEchoTest() throws(ChannelError) {
    guard state.withLock({ $0.echoTest == nil }) else {
      throw ChannelError(.wrongState, "an echo test runs; stop it before a join")
    }
  }

  private func reserveEchoTest(_ channel: String) throws(ChannelError) {
    let fault = state.withLock { state -> String? in
      guard state.echoTest == nil else { return "an echo test runs; stop it first" }
      if let joined = state.joined.first(where: \.isActive) {
        return "the channel '\(joined.channel)' is joined; leave it before an echo test"
      }
      state.echoTest = EchoTest(channel: channel)
      return nil
    }
    if let fault { throw ChannelError(.wrongState, fault) }
  }

  /// Returns the channel that a token is for; nil if it names none.
  private static func channel(of token: String) -> String? {
    guard case .channel(let name)? = try? TokenVerifier.unverifiedToken(in: token).scope else { return nil }
    return name.text
  }

  private func randomName() -> String {
    var random = options.environment.makeRandom(nil)
    return "echo-" + String(UInt64.random(in: 0...(.max), using: &random), radix: 16)
  }

  /// Passes each fault of the test's users on once, and the states of the speaking one. Thread: that of the delegate's
  /// calls.
  private func takeEcho(_ event: ChannelEvent, speaks: Bool) {
    switch event {
    case .stateChanged(let new, let reason) where speaks:
      let isOver = new == .failed || new == .disconnected
      stateDelegate(new)?.rtcEngine(self, connectionStateChanged: new, reason: isOver ? reason : .echoTest)
    case .failed(let error):
      let code = -error.code.rawValue
      newDelegate(of: code)?.rtcEngine(self, didOccurError: code)
    case .timedOut: newDelegate(of: 106)?.rtcEngine(self, didOccurWarning: 106)
    default: break
    }
  }

  /// Returns the delegate for a state of the test; nil if the test has ended, or if a channel or another test has
  /// followed its end.
  private func stateDelegate(_ new: ConnectionState) -> (any RtcEngineDelegate)? {
    state.withLock { state in
      let isOver = state.echoTest == nil
      let isNext = isOver && !state.joined.contains(where: \.isActive)
      return (new == .disconnected ? isNext : !isOver) ? state.delegate : nil
    }
  }

  /// Returns the delegate; nil if it has had this number, or the test has ended.
  private func newDelegate(of code: Int) -> (any RtcEngineDelegate)? {
    state.withLock { $0.echoTest?.reportedCodes.insert(code).inserted == true ? $0.delegate : nil }
  }
}
