import AudioFiles
import AudioGraph
import CallSimulation
import Channels
import Engine
import Foundation
import MediaStreams
import Metering
import NetworkSimulation
import OpusCodec
import Signalling
import TestSupport

/// Calls through a relay whose users say tones, and readings of their results.
struct ChannelCalls {
  let files = CallFiles()

  /// Users 1 to `count`, who say sines of 200, 300 ... Hz for `seconds`.
  func call(
    _ count: Int, seconds: Double, conditions: NetworkConditions = .perfect, events: String = "",
    each folder: String? = nil
  ) throws -> SimulatedCall {
    var call = SimulatedCall(users: [], topology: .relay, conditions: conditions, durationSeconds: seconds)
    for uid in 1...UInt32(count) {
      call.users.append(CallUser(uid: uid, path: try files.tone(Self.hertz(uid), seconds: min(seconds, 60))))
    }
    call.codec = .opus(OpusOptions(packetDuration: .milliseconds10))
    call.script = try CallScript(parsing: "{\"schema\": 1, \"events\": [\(events)]}") { _ in throw CancellationError() }
    call.outputs = CallOutputs(eachFolder: try folder.map(files.folder), sampleFormat: .float32)
    return call
  }

  static func hertz(_ uid: UInt32) -> Double { Double(100 + 100 * uid) }

  /// Conditions with a delay, and perhaps loss.
  static func delay(_ milliseconds: Int, loss: Double = 0) throws -> NetworkConditions {
    try NetworkConditions(
      loss: loss > 0 ? .bernoulli(probability: loss) : .none, delay: .milliseconds(milliseconds))
  }

  /// Events of a script that cut the network of a user.
  static func cut(_ user: UInt32, at start: Double, seconds: Double) -> String {
    ["from", "to"].map { side in
      """
      {"time_s": \(start), "name": "network", "\(side)": \(user), "loss_percent": 100},
      {"time_s": \(start + seconds), "name": "network", "\(side)": \(user), "loss_percent": 0}
      """
    }.joined(separator: ",")
  }
}

extension CallResult {
  /// Events of a user's connection, with their seconds, from a time on.
  func connection(
    of user: UInt32, in channel: ChannelName = CallScript.channel, from start: Double = 0
  ) -> [(seconds: Double, text: String)] {
    events.compactMap { event in
      guard event.seconds >= start, case .channel(let change, user, channel) = event.kind else { return nil }
      let text: String? =
        switch change {
        case .stateChanged(let state, let reason): "state \(state.rawValue)/\(reason.rawValue)"
        case .joined(let uid, _, _): "joined as \(uid)"
        case .rejoined(let uid, _): "rejoined as \(uid)"
        case .left: "left"
        case .connectionLost: "lost"
        case .userJoined(let other, _): "user \(other.uid) joined"
        case .userLeft(let uid, let reason): "user \(uid) offline \(reason.rawValue)"
        case .timedOut: "timed out"
        case .failed(let error): "failed \(error.code.rawValue)"
        default: nil
        }
      return text.map { (event.seconds, $0) }
    }
  }

  /// Seconds at which a listener decodes another user's packets again, from a time on; nil if never.
  func heard(_ uid: UInt32, by listener: UInt32, from start: Double) -> Double? {
    events.first { event in
      guard event.seconds >= start, case .pipeline(.remoteAudioState(let change), listener) = event.kind else {
        return false
      }
      return change.speaker.uid == uid && change.state == .decoding
    }?.seconds
  }
}
