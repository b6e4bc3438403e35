import Channels
import CommandLineKit
import EncodedAudio
import Glibc
import JSON
import Platform

/// One recording of a channel, from the join to the leave.
///
/// Thread: one.
struct RecordChannelRun {
  private let options: RecordChannelOptions
  private let console: Console
  private let watch: ConnectionWatch
  private let hasJoined = Guarded(false)
  private let hasLeft = Guarded(false)

  /// Longest wait for the relay, in nanoseconds.
  private static let joinLimit = 10_000_000_000

  init(_ options: RecordChannelOptions, _ console: Console) {
    self.options = options
    self.console = console
    watch = ConnectionWatch(console.log)
  }

  /// Joins, records until the end, and leaves.
  ///
  /// - Throws: exit codes 69 without the relay, 74 for files that could not be written, 77 for a refused or expired
  ///   token.
  func run() throws {
    let channel: EncodedChannel
    do throws(ChannelError) { channel = try join() } catch { throw CommandFailure(channel: error) }
    try waitForJoin()
    channel.startRecording(in: options.folder, comments: ["TITLE=\(options.channel.text)"])
    console.log.info("user \(channel.uid ?? 0) records the channel '\(options.channel.text)'")
    let start = clock.nowNanoseconds
    let end = options.durationNanoseconds.map { start + $0 } ?? .max
    var failureCount = 0
    wait(until: end) {
      let failures = channel.recordingFailures
      for failure in failures.dropFirst(failureCount) { console.log.warning("\(failure)") }
      failureCount = failures.count
      return watch.end != nil || failures.last?.isOfDisk == true
    }
    let state = channel.state
    watch.silence()
    let recorded = channel.stopRecording()
    let counts = channel.counts
    let channelEnd = watch.end
    channel.leave()
    wait(until: clock.nowNanoseconds + 1_000_000_000, endsAtSignal: false) { hasLeft.withLock { $0 } }
    try report(recorded.files, counts, state)
    if let failure = recorded.failures.first { throw CommandFailure(.inputOutput, "\(failure)") }
    if let channelEnd { throw CommandFailure(joined: channelEnd) }
    if state == .reconnecting, InterruptHandler.pending == nil {
      throw CommandFailure(
        .unavailable,
        "\(options.relay.url): the connection was lost before the end; check that the relay runs, and record again")
    }
  }

  private var clock: SystemClock { SystemClock() }

  private func join() throws(ChannelError) -> EncodedChannel {
    try EncodedChannel(
      relay: options.relay.url, appID: options.relay.appID, channel: options.channel.text, token: options.relay.token,
      options: EncodedChannelOptions(
        user: .uid(options.uid), reorderingWait: options.wait, verification: options.relay.verification),
      onEvent: { [watch, hasJoined, hasLeft] event in
        watch.take(event)
        switch event {
        case .joined: hasJoined.withLock { $0 = true }
        case .left: hasLeft.withLock { $0 = true }
        default: break
        }
      })
  }

  private func waitForJoin() throws(CommandFailure) {
    wait(until: clock.nowNanoseconds + Self.joinLimit) { hasJoined.withLock { $0 } || watch.end != nil }
    if let end = watch.end { throw CommandFailure(joining: end) }
    guard hasJoined.withLock({ $0 }) || InterruptHandler.pending != nil else {
      throw CommandFailure(
        .unavailable, "\(options.relay.url): the relay has not answered within 10 s; check the address and the network")
    }
  }

  /// Waits for a condition, a signal or a time.
  private func wait(until end: Int, endsAtSignal: Bool = true, _ isTrue: () -> Bool) {
    let clock = clock
    while !isTrue(), clock.nowNanoseconds < end, !endsAtSignal || InterruptHandler.pending == nil {
      clock.wait(untilNanoseconds: min(end, clock.nowNanoseconds + 20_000_000))
    }
  }

  private func report(_ files: [EncodedFileResult], _ counts: EncodedCounts, _ state: ConnectionState) throws {
    guard options.showsReport else {
      let losses = watch.losses.map(\.text).joined(separator: "; ")
      let text = "\(files.count) users, \(counts.received) packets, \(counts.lost) lost"
      return try console.output.writeLine(losses.isEmpty ? text : "\(text) (\(losses))")
    }
    try console.output.writeDocument { json in
      json.field("schema", 1)
      json.field("channel", options.channel.text)
      json.field("state", state.rawValue)
      json.field("packets", counts.received)
      json.field("lost", counts.lost)
      json.field("late", counts.late)
      json.array("files") { json in
        for file in files {
          json.object { json in
            json.field("uid", Int(file.uid))
            json.field("path", file.path)
            json.field("packets", file.packetCount)
            json.field("duration_s", Double(file.sampleCount) / 48_000, decimals: 3)
            json.field("gaps_s", Double(file.gapSampleCount) / 48_000, decimals: 3)
          }
        }
      }
      json.array("losses") { json in for loss in watch.losses { loss.write(&json) } }
    }
  }
}

extension EncodedFileError {
  /// Whether every other file fails as well.
  fileprivate var isOfDisk: Bool { [ENOSPC, EDQUOT, EIO, EROFS].contains(number) }
}
