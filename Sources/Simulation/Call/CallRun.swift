import AudioGraph
import Engine
import Glibc

/// A call while it runs: whose tick comes next, and where the packets go.
final class CallRun {
  private let call: SimulatedCall
  private var participants: [CallParticipant] = []
  private let tickCount: Int

  private static let ticksPerSecond = 100.0

  init(_ call: SimulatedCall) throws {
    self.call = call
    let readers = try call.users.map { try AudioFileReader.open(path: $0.path) }
    let channelCount = min(2, readers.map(\.format.channelCount).max()!)
    tickCount = try Self.tickCount(call, readers)
    for (user, reader) in zip(call.users, readers) {
      let participant = try CallParticipant(user, channelCount: channelCount)
      try participant.speak(user, reader: reader, channelCount: channelCount, call: call)
      participants.append(participant)
    }
    if call.outputs.mixedPath != nil { participants.append(try CallParticipant(nil, channelCount: channelCount)) }
    for listener in participants {
      for user in call.users where user.uid != listener.uid {
        try listener.hear(user.uid, channelCount: channelCount, call: call)
      }
    }
    try record()
  }

  func run(progress: (Double, Double) -> Void, shouldStop: () -> Bool) throws -> CallResult {
    for participant in participants { try participant.start(tickCount: tickCount) }
    // What is said in the last tick is not heard any more, but a pipeline's own delay is.
    let latency = try participants.map { try $0.pipeline.latency() }.max()!
    let ticks = tickCount + (latency + 479) / 480
    var left = [Int](repeating: ticks, count: participants.count)
    var isCancelled = false
    var done = 0
    while let now = zip(left, participants).filter({ $0.0 > 0 }).map(\.1.nextTickNanoseconds).min() {
      isCancelled = shouldStop()
      if isCancelled { break }
      // Ticks at one time happen at once: nobody hears what is said in them.
      var sent: [(from: UInt32, packets: [CallPacket])] = []
      for (index, participant) in participants.enumerated()
      where left[index] > 0 && participant.nextTickNanoseconds == now {
        left[index] -= 1
        sent.append((participant.uid, participant.step(nowNanoseconds: now)))
      }
      for (uid, packets) in sent {
        for packet in packets {
          for listener in participants {
            for stream in listener.streams where stream.uid == uid { stream.send(packet) }
          }
        }
      }
      done = max(done, now / 10_000_000)
      if done % 20 == 0 { progress(Double(done) / Self.ticksPerSecond, Double(ticks) / Self.ticksPerSecond) }
    }
    for participant in participants { try participant.finish() }
    return CallResult(
      listeners: participants.map { .init(uid: $0.uid, heard: $0.streams.map { $0.finish() }) },
      durationSeconds: Double(min(done + 1, tickCount)) / Self.ticksPerSecond, isCancelled: isCancelled,
      warnings: participants.flatMap { participant in
        (participant.reader?.warnings ?? []).map { "\(participant.reader!.path): \($0)" }
      })
  }

  private func record() throws {
    let options = RecordingOptions(sampleFormat: call.outputs.sampleFormat, overwrite: call.outputs.overwrite)
    for participant in participants {
      if participant.uid == 0 {
        try participant.pipeline.startAudioRecording(call.outputs.mixedPath!, position: .playback, options: options)
        continue
      }
      guard let folder = call.outputs.eachFolder else { continue }
      try participant.pipeline.startAudioRecording(
        "\(folder)/\(participant.uid).wav", position: .playback, options: options)
      for stream in participant.streams {
        try participant.pipeline.startAudioRecording(
          "\(folder)/\(participant.uid)_from_\(stream.uid).wav", position: .user(stream.uid), options: options)
      }
    }
  }

  private static func tickCount(_ call: SimulatedCall, _ readers: [AudioFileReader]) throws -> Int {
    if let seconds = call.durationSeconds { return Int((seconds * ticksPerSecond).rounded(.up)) }
    let ends = try zip(call.users, readers).map { user, reader in
      guard let count = reader.samplesPerChannel else { throw CallError.unknownLength(path: user.path) }
      return user.startSeconds + Double(count) / Double(reader.format.sampleRate)
    }
    return Int(((ends.max()! + 1) * ticksPerSecond).rounded(.up))
  }
}
