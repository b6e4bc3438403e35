import AudioGraph
import Resampling
import Synchronization

/// The reader thread of a `FileSource`.
final class FileReadAhead: @unchecked Sendable {
  // SAFETY (@unchecked Sendable): `frames` and `file` belong to the thread that runs; the rest is atomic.
  let room = Doorbell()
  let end = Atomic<Int>(-1)
  let isCancelled = Atomic<Bool>(false)
  let failure = Mutex<AudioFileError?>(nil)
  private var frames: RingProducer<Frame>
  private let file: ConvertingReader
  private let schedule: FrameSchedule
  private let startPosition: Int
  private let sourceID: UInt32
  private let ready: Doorbell

  init(
    _ file: ConvertingReader, frames: consuming RingProducer<Frame>, sampleRate: Int, startPosition: Int,
    sourceID: UInt32, ready: Doorbell
  ) {
    self.file = file
    self.frames = frames
    self.startPosition = startPosition
    self.sourceID = sourceID
    self.ready = ready
    schedule = FrameSchedule(sampleRate: sampleRate)
  }

  /// Fills the ring until the file ends.
  func run() {
    var index = 0
    while !isCancelled.load(ordering: .acquiring) {
      guard frames.freeCount > 0, let slot = frames.reserve() else {
        ready.ring()
        room.wait(atMostMilliseconds: 1_000)
        continue
      }
      let isLast = fill(slot.pointee, index: index)
      if isLast == nil { break }
      frames.commit(1)
      if isLast == true { break }
      index += 1
    }
    frames.finish()
    ready.ring()
  }

  /// Returns: true for the file's last frame, nil when there was nothing left for a frame.
  private func fill(_ frame: Frame, index: Int) -> Bool? {
    let position = schedule.position(ofFrame: index)
    let count = schedule.samplesPerChannel(ofFrame: index)
    frame.header.pointee = FrameHeader(
      samplePosition: position, samplesPerChannel: count, sequenceNumber: index,
      captureTimeNanoseconds: index * 1_000_000_000 / FrameSchedule.framesPerSecond, sourceID: sourceID)
    let silent = min(count, max(0, startPosition - position))
    for channel in 0..<frame.channelCount {
      for sample in 0..<silent { frame.channel(channel)[sample] = 0 }
    }
    var got = 0
    if silent < count {
      do {
        got = try file.read(into: frame.channel(0) + silent, stride: frame.planeStride, count: count - silent)
      } catch {
        failure.withLock { $0 = error }
      }
    }
    if silent + got == count { return false }
    // Published before the frame is: who sees the frame's padding knows where the file ends.
    end.store(max(startPosition, position + silent + got), ordering: .releasing)
    if silent + got == 0 { return nil }
    for channel in 0..<frame.channelCount {
      for sample in (silent + got)..<count { frame.channel(channel)[sample] = 0 }
    }
    return true
  }
}
