import AudioFiles
import AudioGraph
import CommandLineKit
import Engine
import Glibc
import Platform
import Synchronization

/// Sound of a live pipeline on stdout, as it is heard: a WAV, or samples without a header.
///
/// A reader that is too slow loses the oldest sound beyond 30 s.
///
/// Thread: any; a thread of its own writes.
final class SoundPipe: Sendable {
  private let sink: PullSink
  private let hasBegun = Atomic<Bool>(false)
  private let isOver = Atomic<Bool>(false)
  private let isEnding = Atomic<Bool>(false)
  private let isIdle = Atomic<Bool>(false)
  private let failure = Guarded<(any Error)?>(nil)
  private let thread = Guarded<BackgroundThread?>(nil)

  /// Adds a pipe to the sound that is heard.
  ///
  /// - Parameters:
  ///   - pipeline: a pipeline that does not run yet.
  ///   - format: format of the sound on stdout.
  ///   - raw: format of samples without a header; nil for a WAV.
  init(_ pipeline: AudioPipeline, format: AudioFormat, raw: RTPOutput.Raw?) throws {
    sink = try pipeline.addSink(.pull(format, capacity: 3_000), at: .playback)
    let thread = try BackgroundThread(named: "stdout") { [self] in
      do {
        switch raw {
        case .int16: try writeRaw(Int16(0)) { [sink] in sink.pull(into: &$0) }
        case .float32: try writeRaw(Float(0)) { [sink] in sink.pull(into: &$0) }
        case nil: try writeWAV()
        }
      } catch {
        failure.withLock { $0 = error }
      }
      isOver.store(true, ordering: .releasing)
    }
    self.thread.withLock { $0 = thread }
  }

  /// Whether nothing more can be written: the reader has gone, or a write has failed.
  var hasEnded: Bool { isOver.load(ordering: .acquiring) }

  /// Sound that was dropped since the reader was slow, in milliseconds.
  var droppedMilliseconds: Int { sink.droppedFrameCount * 10 }

  /// Begins with the sound of this moment; the sound before it is left out.
  func begin() { hasBegun.store(true, ordering: .relaxed) }

  /// Holds silence back while no packet comes: behind the last sound it is never written, and before more sound all of
  /// it is.
  func hold(_ isIdle: Bool) { self.isIdle.store(isIdle, ordering: .relaxed) }

  /// Writes the last sound, unless the reader stands for two seconds. Call it once, after the pipeline's last tick.
  ///
  /// - Throws: the error that ended the writing early: `BrokenPipe` if the reader has gone.
  func finish() throws {
    isEnding.store(true, ordering: .relaxed)
    thread.withLock { thread in
      thread?.join()
      thread = nil
    }
    if let failure = failure.withLock({ $0 }) { throw failure }
  }

  private func writeRaw<Sample: BitwiseCopyable & Equatable>(
    _ zero: Sample, _ pull: (inout MutableSpan<Sample>) -> Int
  ) throws {
    let output = StandardOutput()
    try forEachBlock(of: zero, pull) { samples in
      try output.write(UnsafeRawBufferPointer(samples), isCancelled: { [self] in mustEnd })
    }
  }

  private var mustEnd: Bool { isEnding.load(ordering: .relaxed) || InterruptHandler.pending != nil }

  private func writeWAV() throws {
    let format = sink.format
    let writer = try WAVWriter(
      descriptor: 1, name: "stdout", format: format, options: OutputOptions(sampleFormat: .int16),
      isCancelled: { [weak self] in self?.mustEnd ?? true })
    var plane: [Float] = []
    do {
      try forEachBlock(of: Float(0), { [sink] in sink.pull(into: &$0) }) { samples in
        let count = samples.count / format.channelCount
        plane = (0..<samples.count).map { samples[$0 % count * format.channelCount + $0 / count] }
        try writer.write(plane, stride: count, count: count)
        try writer.deliver()
      }
      try writer.finish()
    } catch let error as AudioFileError where error.isBrokenPipe {
      throw BrokenPipe()
    }
  }

  /// Hands blocks of interleaved samples over as they come, to the end of the pipeline.
  private func forEachBlock<Sample: Equatable>(
    of zero: Sample, _ pull: (inout MutableSpan<Sample>) -> Int, _ write: (UnsafeBufferPointer<Sample>) throws -> Void
  ) throws {
    let channelCount = sink.format.channelCount
    var block = [Sample](repeating: zero, count: sink.format.sampleRate / 50 * channelCount)
    let silence = block
    var held = 0
    while !sink.isExhausted {
      var span = block.mutableSpan
      let count = pull(&span)
      // The audio thread must not wake anybody.
      if count == 0 { poll(nil, 0, 2) }
      guard count > 0, hasBegun.load(ordering: .relaxed) else { continue }
      let isSilent = block.prefix(count * channelCount).allSatisfy { $0 == zero }
      if isSilent, isIdle.load(ordering: .relaxed) {
        held += count
        continue
      }
      while held > 0 {
        let part = min(held, silence.count / channelCount)
        try silence.withUnsafeBufferPointer { try write(UnsafeBufferPointer(rebasing: $0.prefix(part * channelCount))) }
        held -= part
      }
      try block.withUnsafeBufferPointer { try write(UnsafeBufferPointer(rebasing: $0.prefix(count * channelCount))) }
    }
  }
}
