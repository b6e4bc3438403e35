import Platform

/// The calls of one user: messages, times and news of the room go in, work and news for the application come out.
///
///     call, cancelCall, accept, reject, hangup ─▶ ┌─────────────┐ ─▶ state, event, error
///     receive, sent                             ─▶ │ CallMachine │ ─▶ send
///     joined, peerLeft, heardPeer …             ─▶ └─────────────┘ ─▶ preload, join, open, leave
///
/// It has no thread, socket or clock: call it, then take all outputs, then read the next deadline. Connecting
/// ends by a time, whatever is lost, and so does calling, unless the application times it.
struct CallMachine: @unchecked Sendable {
  // SAFETY (@unchecked Sendable): one owner has the generator of random numbers.
  let user: UInt32
  /// Session of the user, in all messages.
  let device: String
  private(set) var state = CallState.idle
  var ongoing: OngoingCall?
  var settings: PrepareConfig?
  var ended = EndedCalls()
  /// Calls whose cancel has come first.
  var cancelled = EndedCalls()
  var rates = CallRates()
  /// Joins that have succeeded, until their ends.
  var stays: Set<Int> = []
  /// Messages that are not acknowledged, by number.
  var sent: [Int: SentMessage] = [:]
  /// Preparation that is under way.
  var preparation: (number: Int, completion: Int?)?
  /// Whether the calls are deinitialized, and messages are under way.
  var isEnding = false
  var endCompletion: Int?
  private var numberCount = 0
  private var outputs: [CallOutput] = []
  private var random: any RandomNumberGenerator
  private let unixMilliseconds: @Sendable () -> Int64

  /// - Parameters:
  ///   - user: The local user.
  ///   - random: Random numbers of ids.
  ///   - unixMilliseconds: The calendar.
  init(
    user: UInt32, random: any RandomNumberGenerator, unixMilliseconds: @escaping @Sendable () -> Int64
  ) {
    var random = random
    self.user = user
    device = Self.makeID(&random, byteCount: 8)
    self.random = random
    self.unixMilliseconds = unixMilliseconds
  }

  /// Id of the call; nil without one.
  var callID: String? { ongoing?.id }

  /// Returns the work and the news since the last call.
  mutating func takeOutputs() -> [CallOutput] {
    defer { outputs = [] }
    return outputs
  }

  // MARK: Calls of the application

  /// Blocks the calls of users; one of theirs that rings is rejected.
  mutating func block(_ users: Set<UInt32>, _ now: Int) {
    rates.blocked = users
    if state == .calling, let call = ongoing, !call.isCaller, users.contains(call.peer) {
      reject(call.peer, nil, completion: nil, now)
    }
  }

  mutating func renew(_ token: String) {
    settings?.rtcToken = token
    ongoing?.token = token
    if let attempt = ongoing?.attempt { emit(.renew(attempt: attempt, token: token)) }
  }

  mutating func call(_ peer: UInt32, _ type: CallType, _ callExtension: String?, completion: Int?, _ now: Int) {
    guard type == .audio else {
      return complete(
        completion,
        CallError(.invalidArgument, "video calls are not supported; use call(_:type:callExtension:) with type .audio"))
    }
    guard state == .prepared, let settings else { return refuse("call", completion) }
    guard peer != 0, peer != user else {
      return complete(completion, CallError(.invalidArgument, "user \(peer) cannot be called; name another user"))
    }
    do throws(CallError) { try PrepareConfig.check(callExtension, "callExtension") } catch {
      return complete(completion, error)
    }
    let id = Self.makeID(&random, byteCount: 16)
    let message = CallMessage(
      callID: id, device: device,
      body: .call(
        CallMessage.Invitation(
          room: settings.roomID, type: type, ringMilliseconds: settings.callTimeoutMilliseconds,
          userExtension: settings.userExtension, callExtension: callExtension))
    ).text
    guard message.utf8.count <= CallMessage.largestByteCount else {
      return complete(
        completion,
        CallError(
          .invalidArgument,
          "the call's message has \(message.utf8.count) bytes, of which \(CallMessage.largestByteCount) are allowed; "
            + "shorten userExtension and callExtension"))
    }
    let info = ["callId": id, "roomId": settings.roomID, "remoteUserId": "\(peer)"]
    ongoing = OngoingCall(
      id: id, peer: peer, isCaller: true, room: settings.roomID, token: settings.rtcToken, info: info,
      message: message, deadline: ringDeadline(settings.callTimeoutMilliseconds, now))
    set(.calling, .localAudioCall)
    emit(.event(.localAudioCall, reason: nil))
    send(message, as: .call, in: id, to: peer, completion: completion, now)
    emit(.askEarlyJoin(callID: id, info: info))
  }

  mutating func cancelCall(completion: Int?, _ now: Int) {
    guard state == .calling, let call = ongoing, call.isCaller else { return refuse("cancelCall", completion) }
    send(.cancel(CallMessage.End(.user)), of: call, completion: completion, now)
    end(.localCancelled, .localCancelled, now)
  }

  mutating func accept(_ peer: UInt32, completion: Int?, _ now: Int) {
    guard state == .calling, let call = ongoing, !call.isCaller, call.peer == peer else {
      return refuse("accept", completion)
    }
    acceptOngoing(completion: completion, now)
  }

  mutating func reject(_ peer: UInt32, _ reason: String?, completion: Int?, _ now: Int) {
    guard state == .calling, let call = ongoing, !call.isCaller, call.peer == peer else {
      return refuse("reject", completion)
    }
    guard check(reason, completion) else { return }
    send(.reject(CallMessage.End(.user, reason)), of: call, completion: completion, now)
    end(.localRejected, .localRejected, text: reason, now)
  }

  mutating func hangup(_ peer: UInt32, _ reason: String?, completion: Int?, _ now: Int) {
    guard state == .connecting || state == .connected, let call = ongoing, call.peer == peer else {
      return refuse("hangup", completion)
    }
    guard check(reason, completion) else { return }
    send(.hangup(CallMessage.End(.user, reason)), of: call, completion: completion, now)
    end(.localHangup, .localHangup, text: reason, hangupUser: user, now)
  }

  /// Takes the application's wish to join the room before the call is accepted.
  mutating func mayJoin(_ callID: String) {
    guard state == .calling, ongoing?.id == callID, ongoing?.attempt == nil else { return }
    join(isAccepted: false)
  }

  // MARK: Steps of all parts

  mutating func emit(_ output: CallOutput) { outputs.append(output) }

  mutating func complete(_ completion: Int?, _ error: CallError?) {
    if let completion { emit(.complete(completion, error)) }
  }

  mutating func makeNumber() -> Int {
    numberCount += 1
    return numberCount
  }

  mutating func set(
    _ new: CallState, _ reason: CallStateReason, _ eventReason: String = "", _ info: [String: String] = [:]
  ) {
    state = new
    emit(.state(new, reason, eventReason: eventReason, info: info))
  }

  func ringDeadline(_ milliseconds: Int, _ now: Int) -> Int? {
    milliseconds == 0 ? nil : now + milliseconds * 1_000_000
  }

  /// Accepts the call that rings.
  mutating func acceptOngoing(completion: Int?, info: [String: String] = [:], _ now: Int) {
    guard let call = ongoing else { return }
    send(.accept, as: .accept, of: call, completion: completion, now)
    connect(.localAccepted, .localAccepted, info: info, now)
  }

  /// Connects a call that was accepted.
  ///
  /// - Parameter info: Information about a call that has not rung.
  mutating func connect(
    _ reason: CallStateReason, _ event: CallEvent, info: [String: String] = [:], _ now: Int
  ) {
    ongoing?.deadline = now + CallTimes.connecting
    if ongoing?.isCaller == true { ongoing?.agreedTime = now }
    set(.connecting, reason, "", info)
    emit(.event(event, reason: nil))
    if let attempt = ongoing?.attempt { emit(.open(attempt: attempt)) } else { join(isAccepted: true) }
    if ongoing?.hasHeard == true { becomeConnected(now) }
  }

  mutating func becomeConnected(_ now: Int) {
    guard state == .connecting, let call = ongoing else { return }
    ongoing?.deadline = nil
    ongoing?.connectedNanoseconds = now
    set(.connected, .recvRemoteFirstFrame)
    emit(
      .connected(
        room: call.room, caller: call.isCaller ? user : call.peer, unixMilliseconds: unixMilliseconds()))
  }

  mutating func join(isAccepted: Bool) {
    guard let call = ongoing else { return }
    let attempt = makeNumber()
    ongoing?.attempt = attempt
    ongoing?.isJoined = false
    emit(.event(.joinRTCStart, reason: nil))
    emit(.join(attempt: attempt, room: call.room, token: call.token, peer: call.peer, isAccepted: isAccepted))
  }

  /// Ends the call; the state is prepared again.
  ///
  /// - Parameter hangupUser: User that has ended a connected call; nil: the other one.
  mutating func end(
    _ reason: CallStateReason, _ event: CallEvent?, text: String? = nil, hangupUser: UInt32? = nil, _ now: Int
  ) {
    guard let call = ongoing else { return }
    ongoing = nil
    ended.insert(call.id, of: call.peer, now)
    if let attempt = call.attempt { emit(.leave(attempt: attempt)) }
    if call.room != settings?.roomID { emit(.release(room: call.room)) }
    set(.prepared, reason, text ?? "")
    if let event { emit(.event(event, reason: text)) }
    guard let begin = call.connectedNanoseconds else { return }
    emit(
      .disconnected(
        room: call.room, hangupUser: hangupUser ?? call.peer, unixMilliseconds: unixMilliseconds(),
        durationMilliseconds: Int64((now - begin) / 1_000_000)))
  }

  // MARK: Private

  /// Refuses a call of the application that does not fit the state.
  mutating func refuse(_ name: String, _ completion: Int?) {
    let text = "\(name) does not fit the state \(state), or names another user"
    emit(.event(.stateMismatch, reason: text))
    complete(completion, CallError(.wrongState, "\(text); see Calls.md for the calls of each state"))
  }

  private mutating func check(_ reason: String?, _ completion: Int?) -> Bool {
    guard let reason, reason.utf8.count > CallMessage.largestReasonByteCount else { return true }
    complete(
      completion,
      CallError(
        .invalidArgument,
        "a reason has at most \(CallMessage.largestReasonByteCount) bytes, not \(reason.utf8.count); shorten it"))
    return false
  }

  private static func makeID(_ random: inout any RandomNumberGenerator, byteCount: Int) -> String {
    (0..<byteCount).map { _ in
      let text = String(UInt8.random(in: 0...255, using: &random), radix: 16)
      return text.count == 1 ? "0" + text : text
    }.joined()
  }
}
