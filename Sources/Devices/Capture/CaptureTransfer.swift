import AudioGraph
import LockFree
import Synchronization

/// Moves samples from a device into the ring of a source, and observes the device's clock.
///
/// Thread: the device thread.
final class CaptureTransfer: StreamTransfer {
  private var samples: RingProducer<Float>
  private var models: LatestValueWriter<ClockModel>
  private var model = ClockModel()
  private var clock = DeviceClock(nominalRate: 48_000)
  private let channelCount: Int
  private let progress: UnsafeMutablePointer<StreamProgress>
  /// Samples per channel written to the ring.
  private var written = 0
  /// One period of the device, and the same in the source's channels.
  private var read: [Float] = []
  private var mapped: [Float] = []

  init(
    samples: consuming RingProducer<Float>, models: consuming LatestValueWriter<ClockModel>, channelCount: Int,
    progress: UnsafeMutablePointer<StreamProgress>
  ) {
    self.samples = samples
    self.models = models
    self.channelCount = channelCount
    self.progress = progress
  }

  func begin(_ pcm: any PCM, isNew: Bool) throws(PCMFault) {
    let format = pcm.format
    if isNew {
      clock = DeviceClock(nominalRate: format.sampleRate, isServer: pcm.isServer)
      model.isServer = pcm.isServer
      model.epoch += 1
      model.epochStart = written
      model.nominalRate = Double(format.sampleRate)
      model.periodCount = format.periodCount
      read = [Float](repeating: 0, count: format.periodCount * format.channelCount)
      mapped = [Float](repeating: 0, count: format.periodCount * channelCount)
    }
    clock.resetPosition()
    try pcm.start()
  }

  func move(_ pcm: any PCM) throws(PCMFault) -> Bool {
    let status = try pcm.status()
    clock.observe(position: Double(written + status.available), atNanoseconds: status.timeNanoseconds)
    var left = status.available
    while left > 0 {
      let count = try read.withUnsafeMutableBufferPointer { buffer throws(PCMFault) in
        try pcm.read(into: buffer.baseAddress!, count: min(left, pcm.format.periodCount))
      }
      if count == 0 { break }
      push(count, channels: pcm.format.channelCount)
      left -= count
    }
    progress.pointee.moved.store(written - model.epochStart, ordering: .relaxed)
    publish(isOpen: true, extraDelay: max(0, status.delay - status.available))
    return status.available > 0
  }

  func end() { publish(isOpen: false, extraDelay: 0) }

  private func publish(isOpen: Bool, extraDelay: Int) {
    model.update(from: clock, isOpen: isOpen, extraDelay: extraDelay)
    models.write(model)
    progress.pointee.skew.store(Int(clock.skew * 1e12), ordering: .relaxed)
  }

  /// Writes samples of the device to the ring.
  private func push(_ count: Int, channels: Int) {
    read.withUnsafeBufferPointer { input in
      mapped.withUnsafeMutableBufferPointer { output in
        ChannelMapping.map(
          input.baseAddress!, channels: channels, to: output.baseAddress!, channels: channelCount, count: count)
      }
    }
    let region = samples.reserve(upTo: count * channelCount)
    // A full ring means that no tick has come for a long time; the position does not count lost samples.
    guard region.count == count * channelCount else {
      progress.pointee.dropped.wrappingAdd(count, ordering: .relaxed)
      return clock.resetPosition()
    }
    mapped.withUnsafeBufferPointer { input in
      region.first.baseAddress?.update(from: input.baseAddress!, count: region.first.count)
      region.second.baseAddress?.update(
        from: input.baseAddress! + region.first.count, count: region.second.count)
    }
    samples.commit(region.count)
    written += count
  }
}
