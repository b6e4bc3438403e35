import Calls
import RelayClient
import Signalling

/// Feeds any bytes as messages of calls to the calls of user 5 in some state; see run.
///
/// The first byte chooses the state, an early join, and a channel that loses messages. Then each line is a step, by its
/// first byte: 7 and 9 are messages of these users, a dot is time, and other letters are calls of the application with
/// the rest as a text. Messages may be refused, and must not crash. Each message that is read is written and read again
/// as the same message, and so is each message that the machine sends.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzCallMessage(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = UnsafeBufferPointer(start: start, count: start == nil ? 0 : count)
  var calls = FuzzedCalls(choice: bytes.first ?? 0)
  for line in bytes.dropFirst().split(separator: UInt8(ascii: "\n")) { calls.step(line) }
  return 0
}

/// A machine of user 5 in virtual time. Its random numbers are 0, so that messages can name its calls.
private struct FuzzedCalls {
  private var machine = CallMachine(user: 5, random: Zeros()) { 0 }
  private var nanoseconds = 0
  private let joinsEarly: Bool
  private let losesMessages: Bool

  init(choice: UInt8) {
    joinsEarly = choice & 8 != 0
    losesMessages = choice & 16 != 0
    guard choice & 7 > 0 else { return }
    machine.prepare(PrepareConfig(roomID: "r5", rtcToken: "t"), completion: 1)
    drain()
    switch choice & 7 {
    case 1: break
    case 2: machine.call(7, .audio, nil, completion: 2, nanoseconds)
    case 3, 4: ring()
    default:
      machine.call(7, .audio, nil, completion: 2, nanoseconds)
      machine.receive(CallMessage(callID: Self.id, device: "dd", body: .accept).text, from: 7, nanoseconds)
    }
    drain()
    if choice & 7 == 4 { machine.accept(7, completion: 3, nanoseconds) }
    drain()
    if choice & 7 == 6 { hear() }
  }

  /// Id of each call whose digits are those of `Zeros`.
  private static let id = String(repeating: "0", count: 32)
  private static let fault = ChannelError(.refused, "no")

  mutating func step(_ line: Slice<UnsafeBufferPointer<UInt8>>) {
    let text = String(decoding: line.dropFirst(), as: UTF8.self)
    switch line.first {
    case UInt8(ascii: "7"): receive(text, from: 7)
    case UInt8(ascii: "9"): receive(text, from: 9)
    case UInt8(ascii: "."):
      nanoseconds += Int(line.dropFirst().first ?? 0) * 100_000_000
      machine.poll(nanoseconds)
    case UInt8(ascii: "p"):
      machine.prepare(PrepareConfig(roomID: "r6", rtcToken: "", userExtension: text), completion: 4)
    case UInt8(ascii: "c"): machine.call(7, .audio, text, completion: 5, nanoseconds)
    case UInt8(ascii: "x"): machine.cancelCall(completion: 6, nanoseconds)
    case UInt8(ascii: "a"): machine.accept(7, completion: 7, nanoseconds)
    case UInt8(ascii: "r"): machine.reject(7, text, completion: 8, nanoseconds)
    case UInt8(ascii: "u"): machine.hangup(7, text, completion: 9, nanoseconds)
    case UInt8(ascii: "h"): hear()
    case UInt8(ascii: "l"):
      if let attempt = machine.ongoing?.attempt { machine.peerLeft(attempt, 7, .quit, nanoseconds) }
    case UInt8(ascii: "e"):
      if let attempt = machine.ongoing?.attempt { machine.replaced(attempt, Self.fault, nanoseconds) }
    case UInt8(ascii: "f"):
      if let attempt = machine.ongoing?.attempt { machine.failed(attempt, Self.fault, nanoseconds) }
    case UInt8(ascii: "d"): machine.deinitialize(completion: 10, nanoseconds)
    default: break
    }
    drain()
    check()
  }

  private mutating func receive(_ text: String, from user: UInt32) {
    checkReading(text)
    machine.receive(text, from: user, nanoseconds)
  }

  private mutating func ring() {
    let invitation = CallMessage.Invitation(room: "r7", type: .audio, ringMilliseconds: 15_000)
    machine.receive(CallMessage(callID: Self.id, device: "dd", body: .call(invitation)).text, from: 7, nanoseconds)
  }

  private mutating func hear() {
    if let attempt = machine.ongoing?.attempt { machine.heardPeer(attempt, 7, nanoseconds) }
  }

  /// Takes all outputs, and answers them at once.
  private mutating func drain() {
    var outputs = machine.takeOutputs()
    while !outputs.isEmpty {
      for output in outputs { answer(output) }
      outputs = machine.takeOutputs()
    }
  }

  private mutating func answer(_ output: CallOutput) {
    switch output {
    case .send(let number, let text, _, _):
      precondition(checkReading(text), "a message that is sent cannot be read")
      machine.sent(number, losesMessages ? SignalError(.notConnected, code: -3, "lost") : nil, nanoseconds)
    case .preload(let number?, _, _): machine.prepared(number, nil)
    case .join(let attempt, _, _, _, _):
      machine.joined(attempt, nanoseconds)
      machine.peerJoined(attempt, 7)
    case .leave(let number): machine.left(number)
    case .askEarlyJoin(let id, _): if joinsEarly { machine.mayJoin(id) }
    default: break
    }
  }

  /// Reads a text, and if that is a message, writes it and reads it again.
  @discardableResult
  private func checkReading(_ text: String) -> Bool {
    guard let message = try? CallMessage(reading: text) else { return false }
    // Escapes may make a text longer than a message may be.
    guard message.text.utf8.count <= CallMessage.largestByteCount else { return true }
    let again = try? CallMessage(reading: message.text)
    precondition(again == message, "a message changes when it is written and read")
    return true
  }

  /// A call is there in its states alone, and nothing is due any more.
  private mutating func check() {
    let hasCall = machine.state == .calling || machine.state == .connecting || machine.state == .connected
    precondition(hasCall == (machine.callID != nil), "a state does not fit its call")
    machine.poll(nanoseconds)
    drain()
    precondition((machine.nextDeadline ?? .max) > nanoseconds, "a deadline has passed")
  }
}

/// Random numbers that are 0.
private struct Zeros: RandomNumberGenerator {
  mutating func next() -> UInt64 { 0 }
}
