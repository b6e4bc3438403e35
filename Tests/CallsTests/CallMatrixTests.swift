import TestSupport
import Testing

@testable import Calls

/// Each call of the application in each state, as caller and as callee.
@Suite(.timeLimit(.minutes(1))) struct CallMatrixTests {
  /// Situations of user 5, with user 7 as the other one.
  enum Situation: String, CaseIterable {
    case idle, prepared, failed, callingAsCaller, callingAsCallee, connectingAsCaller, connectingAsCallee,
      connectedAsCaller, connectedAsCallee

    func make() -> MachineRig {
      var rig = MachineRig()
      if self == .idle { return rig }
      if self == .failed {
        rig.joins = false
        rig.prepare()
        rig.take { [number = rig.preparation] machine, _ in
          machine.prepared(number, CallError(.normal, code: -1, "no"))
        }
        return rig
      }
      rig.prepare()
      switch self {
      case .callingAsCaller, .connectingAsCaller, .connectedAsCaller: rig.call()
      case .callingAsCallee, .connectingAsCallee, .connectedAsCallee: rig.ring()
      default: return rig
      }
      switch self {
      case .connectingAsCaller, .connectedAsCaller: rig.receive(.accept)
      case .connectingAsCallee, .connectedAsCallee: rig.accept()
      default: return rig
      }
      if self == .connectedAsCaller || self == .connectedAsCallee { rig.hear() }
      return rig
    }

    var state: CallState {
      switch self {
      case .idle: .idle
      case .prepared: .prepared
      case .failed: .failed
      case .callingAsCaller, .callingAsCallee: .calling
      case .connectingAsCaller, .connectingAsCallee: .connecting
      case .connectedAsCaller, .connectedAsCallee: .connected
      }
    }
  }

  /// Calls of the application, each with the situations in which it is allowed and the state that follows.
  enum Call: String, CaseIterable {
    case prepare, call, videoCall, callOfNobody, callOfItself, cancel, accept, acceptOfAnother, reject,
      rejectOfAnother, hangup, hangupOfAnother, deinitialize

    func make(_ rig: inout MachineRig) {
      switch self {
      case .prepare: rig.prepare("r2")
      case .call: rig.call()
      case .videoCall: rig.call(7, type: .video)
      case .callOfNobody: rig.call(0)
      case .callOfItself: rig.call(5)
      case .cancel: rig.cancel()
      case .accept: rig.accept()
      case .acceptOfAnother: rig.accept(9)
      case .reject: rig.reject()
      case .rejectOfAnother: rig.reject(9)
      case .hangup: rig.hangup()
      case .hangupOfAnother: rig.hangup(9)
      case .deinitialize: rig.deinitialize()
      }
    }

    var allowed: [Situation] {
      switch self {
      case .prepare: [.idle, .prepared, .failed]
      case .call: [.prepared]
      case .videoCall, .callOfNobody, .callOfItself, .acceptOfAnother, .rejectOfAnother, .hangupOfAnother: []
      case .cancel: [.callingAsCaller]
      case .accept, .reject: [.callingAsCallee]
      case .hangup: [.connectingAsCaller, .connectingAsCallee, .connectedAsCaller, .connectedAsCallee]
      case .deinitialize: Situation.allCases
      }
    }

    var nextState: CallState {
      switch self {
      case .prepare: .prepared
      case .call: .calling
      case .accept: .connecting
      case .deinitialize: .idle
      default: .prepared
      }
    }

    /// Whether the arguments are refused before the state counts.
    func refusesArguments(in situation: Situation) -> Bool {
      switch self {
      case .videoCall: true
      case .callOfNobody, .callOfItself: situation == .prepared
      default: false
      }
    }
  }

  @Test(
    "each call in each state is allowed or refused", .shows("K2", "K3"), arguments: Situation.allCases, Call.allCases)
  func matrix(_ situation: Situation, _ call: Call) throws {
    var rig = situation.make()
    rig.joins = true
    #expect(rig.machine.state == situation.state)
    _ = rig.takeLines()
    let sent = rig.messages.count
    call.make(&rig)
    let lines = rig.takeLines()
    let outcome = try #require(lines.first { $0.contains("complete") }, "\(lines)")
    if call.allowed.contains(situation) {
      #expect(outcome.hasSuffix("ok") && rig.machine.state == call.nextState, "\(lines)")
      #expect(!lines.contains { $0.hasPrefix("0 event 9 ") }, "\(lines)")
      return
    }
    // Nothing else happens.
    #expect(rig.machine.state == situation.state && rig.messages.count == sent, "\(lines)")
    if call.refusesArguments(in: situation) {
      #expect(outcome.hasSuffix(" \(ChannelErrorCode.invalidArgument.rawValue)") && lines.count == 1, "\(lines)")
    } else {
      #expect(outcome.hasSuffix(" \(ChannelErrorCode.wrongState.rawValue)") && lines.count == 2, "\(lines)")
      #expect(lines[0].contains("event 9 '"), "\(lines)")
    }
  }

  /// Messages of the other user about the call, or about another one.
  private static let bodies: [CallMessage.Body] = [
    .cancel(CallMessage.End(.user)), .accept, .reject(CallMessage.End(.user)), .hangup(CallMessage.End(.user)),
    .taken(device: "ee"),
  ]

  @Test("a message of another call or user changes nothing", .shows("K3"), arguments: Situation.allCases)
  func foreign(_ situation: Situation) {
    for body in Self.bodies {
      for isForeignUser in [false, true] {
        var rig = situation.make()
        _ = rig.takeLines()
        rig.receive(body, id: isForeignUser ? nil : "0b", from: isForeignUser ? 9 : 7)
        #expect(rig.takeLines() == [] && rig.machine.state == situation.state, "\(body) in \(situation)")
      }
    }
  }

  @Test("dropped messages are told to callDebugInfo", .shows("K3", "K8"))
  func debug() {
    var rig = MachineRig()
    rig.prepare()
    rig.call()
    var lines: [String] = []
    for text in [
      "no JSON", #"{"version": 2, "type": "call"}"#,
      CallMessage(callID: "0b", device: "dd", body: .accept).text,
    ] {
      rig.machine.receive(text, from: 7, 0)
      for case .debug(let line, let level) in rig.machine.takeOutputs() { lines.append("\(level.rawValue) \(line)") }
    }
    #expect(
      lines == [
        "1 user 7: a message is not JSON; it is dropped",
        "1 user 7: a message has version 2, and this program knows version 1 alone; it is dropped",
        "0 user 7: accept belongs to another call; it is dropped",
      ])
  }
}
