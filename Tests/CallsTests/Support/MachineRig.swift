import TestSupport

@testable import Calls

/// A machine of user 5 in virtual time, and its outputs as lines.
///
/// A line is `MILLISECONDS OUTPUT`, such as `0 state calling 31` or `15000 send cancel timeout to 7`.
struct MachineRig {
  var machine: CallMachine
  private(set) var milliseconds = 0
  /// Lines since the last `take`.
  private var lines: [String] = []
  /// States, reasons, events and errors of all lines, by their numbers.
  private(set) var seen = SeenNumbers()
  /// Messages that were sent, by number.
  private(set) var messages: [(number: Int, text: String, receiver: UInt32)] = []
  /// Numbers of preparations and joins.
  private(set) var preparation = 0
  private(set) var attempt = 0
  /// Whether messages are acknowledged at once.
  var acknowledges = true
  /// Whether preparations and joins succeed at once, with both users in the room.
  var joins = true
  /// Answer of the application to an early join.
  var joinsEarly = false
  private var completionCount = 0

  static let unixMilliseconds: Int64 = 1_800_000_000_000

  init(user: UInt32 = 5, seed: UInt64 = 1) {
    machine = CallMachine(user: user, random: SeededGenerator(seed: seed)) { Self.unixMilliseconds }
  }

  private var now: Int { milliseconds * 1_000_000 }

  // MARK: Calls

  mutating func run(_ body: (inout CallMachine, _ completion: Int, _ now: Int) -> Void) {
    completionCount += 1
    body(&machine, completionCount, now)
    drain()
  }

  mutating func prepare(_ room: String = "r1", timeout: Int = 15_000, text: String? = nil) {
    run { machine, number, _ in
      machine.prepare(
        PrepareConfig(roomID: room, rtcToken: "t", callTimeoutMilliseconds: timeout, userExtension: text),
        completion: number)
    }
  }

  mutating func call(_ peer: UInt32 = 7, type: CallType = .audio, text: String? = nil) {
    run { machine, number, now in machine.call(peer, type, text, completion: number, now) }
  }

  mutating func cancel() { run { machine, number, now in machine.cancelCall(completion: number, now) } }
  mutating func accept(_ peer: UInt32 = 7) {
    run { machine, number, now in machine.accept(peer, completion: number, now) }
  }
  mutating func reject(_ peer: UInt32 = 7, _ reason: String? = nil) {
    run { machine, number, now in machine.reject(peer, reason, completion: number, now) }
  }
  mutating func hangup(_ peer: UInt32 = 7, _ reason: String? = nil) {
    run { machine, number, now in machine.hangup(peer, reason, completion: number, now) }
  }
  mutating func deinitialize() {
    run { machine, number, now in machine.deinitialize(completion: number, now) }
  }

  // MARK: News

  mutating func take(_ body: (inout CallMachine, _ now: Int) -> Void) {
    body(&machine, now)
    drain()
  }

  /// Takes a message of a user, by default about the ongoing call.
  mutating func receive(
    _ body: CallMessage.Body, id: String? = nil, from user: UInt32 = 7, device: String = "dd"
  ) {
    let message = CallMessage(callID: id ?? machine.callID ?? "00", device: device, body: body)
    take { machine, now in machine.receive(message.text, from: user, now) }
  }

  /// Takes a call of user 7.
  mutating func ring(
    _ id: String = "aa", room: String = "r7", from user: UInt32 = 7, timeout: Int = 15_000, type: CallType = .audio
  ) {
    receive(
      .call(
        CallMessage.Invitation(
          room: room, type: type, ringMilliseconds: timeout, userExtension: "hello", callExtension: "urgent")),
      id: id, from: user)
  }

  mutating func hear() { take { [attempt] machine, now in machine.heardPeer(attempt, 7, now) } }

  /// Goes on to a time, and does what is due until then.
  mutating func run(to end: Int) {
    while let deadline = machine.nextDeadline, deadline <= end * 1_000_000 {
      milliseconds = max(milliseconds, deadline / 1_000_000)
      machine.poll(now)
      drain()
    }
    milliseconds = end
  }

  /// Returns the lines since the last call.
  mutating func takeLines() -> [String] {
    defer { lines = [] }
    return lines
  }

  // MARK: Private

  private mutating func drain() {
    var outputs = machine.takeOutputs()
    while !outputs.isEmpty {
      for output in outputs {
        if let text = output.text { lines.append("\(milliseconds) \(text)") }
        seen.note(output)
        answer(output)
      }
      outputs = machine.takeOutputs()
    }
  }

  private mutating func answer(_ output: CallOutput) {
    switch output {
    case .send(let number, let text, let receiver, _):
      messages.append((number, text, receiver))
      if acknowledges { machine.sent(number, nil, now) }
    case .preload(let number?, _, _):
      preparation = number
      if joins { machine.prepared(number, nil) }
    case .join(let number, _, _, _, _):
      attempt = number
      guard joins else { return }
      machine.joined(number, now)
      machine.peerJoined(number, 7)
    case .leave(let number): machine.left(number)
    case .askEarlyJoin(let id, _): if joinsEarly { machine.mayJoin(id) }
    default: break
    }
  }
}

extension CallOutput {
  /// Words of an output; nil for a line of a log.
  fileprivate var text: String? {
    switch self {
    case .send(_, let text, let receiver, _):
      guard let message = try? CallMessage(reading: text) else { return "send nonsense" }
      return "send \(message.body.words) to \(receiver)"
    case .preload(_, let room, _): return "preload \(room)"
    case .join(_, let room, _, _, let isAccepted): return "join \(room) \(isAccepted ? "open" : "silent")"
    case .open: return "open"
    case .leave: return "leave"
    case .renew(_, let token): return "renew \(token)"
    case .askEarlyJoin, .release: return nil
    case .state(let state, let reason, let text, _):
      return "state \(state) \(reason.rawValue)\(text.isEmpty ? "" : " '\(text)'")"
    case .event(let event, let reason): return "event \(event.rawValue)\(reason.map { " '\($0)'" } ?? "")"
    case .error(let event, let error): return "error \(event.rawValue) \(error.type.rawValue) \(error.code)"
    case .connected(let room, let caller, _): return "connected \(room) by \(caller)"
    case .disconnected(let room, let user, _, let duration): return "disconnected \(room) by \(user) after \(duration)"
    case .debug: return nil
    case .complete(let number, let error): return "complete \(number) \(error.map { "\($0.code)" } ?? "ok")"
    case .over: return "over"
    }
  }
}

extension CallMessage.Body {
  fileprivate var words: String {
    switch self {
    case .cancel(let end), .reject(let end), .hangup(let end):
      "\(name) \(end.cause.rawValue)\(end.reason.map { " '\($0)'" } ?? "")"
    case .taken(let device): "taken \(device)"
    default: name
    }
  }
}
