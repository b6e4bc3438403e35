import AudioGraph
import LockFree
import Synchronization

/// Moves samples from the ring of a sink into a device, and observes the device's clock.
///
/// The device's buffer never runs empty while its thread runs: sound that is not there in time becomes silence, with a
/// fade at both ends. Sound that has waited too long is left out.
///
/// Thread: the device thread.
final class PlayoutTransfer: StreamTransfer {
  /// Sound beyond the target, a tick included, that is left out, in milliseconds.
  private static let skipMilliseconds = 25

  private var samples: RingConsumer<Float>
  private var models: LatestValueWriter<ClockModel>
  private var model = ClockModel()
  private var clock = DeviceClock(nominalRate: 48_000)
  private let channelCount: Int
  private var margin: LateMargin
  private let progress: UnsafeMutablePointer<StreamProgress>
  private let completion: Doorbell
  /// Samples per channel written to the device since its start.
  private var written = 0
  /// Samples per channel played by the device since its start.
  private var played = 0
  /// Those of them that were played before the device took sound.
  private var startPlayed = 0
  /// Samples per channel taken out of the ring.
  private var consumed = 0
  private var fade = EdgeFade(channelCount: 1, sampleRate: 8_000)
  /// Whether the newest samples in the device came out of the ring.
  private var isSounding = false
  /// Whether the next samples are from a later place than the newest ones in the device.
  private var isSkipping = false
  /// Samples of the device's buffer that must be played until all sound is over; nil before the end.
  private var left: Int?
  /// One period in the sink's channels, and in the device's.
  private var taken: [Float] = []
  private var mapped: [Float] = []
  private var levels = BufferLevels(
    PCMFormat(sampleRate: 0, channelCount: 1, periodCount: 0, bufferCount: 0), margin: 0)
  private var offset = DelayOffset(isServer: false)

  init(
    samples: consuming RingConsumer<Float>, models: consuming LatestValueWriter<ClockModel>, channelCount: Int,
    margin: Double, progress: UnsafeMutablePointer<StreamProgress>, completion: Doorbell
  ) {
    self.samples = samples
    self.models = models
    self.channelCount = channelCount
    self.margin = LateMargin(margin)
    self.progress = progress
    self.completion = completion
  }

  func begin(_ pcm: any PCM, isNew: Bool) throws(PCMFault) {
    let format = pcm.format
    if isNew {
      clock = DeviceClock(nominalRate: format.sampleRate, isServer: pcm.isServer)
      model.isServer = pcm.isServer
      fade = EdgeFade(channelCount: channelCount, sampleRate: format.sampleRate)
      model.nominalRate = Double(format.sampleRate)
      taken = [Float](repeating: 0, count: format.periodCount * channelCount)
      mapped = [Float](repeating: 0, count: format.periodCount * format.channelCount)
    } else {
      margin.noteInterruption()
    }
    setLevels(format)
    // Waiting sound is older than the start; before another device, it has another rate as well.
    discard(max(0, samples.readableCount / channelCount - (isNew ? 0 : format.sampleRate / 100)))
    isSounding = false
    if isNew { offset = DelayOffset(isServer: model.isServer) }
    written = 0
    played = 0
    startPlayed = 0
    try writeSilence(levels.target, to: pcm)
    try pcm.start()
    interrupt(at: consumed - levels.target, try pcm.status().timeNanoseconds)
    publish(isOpen: !offset.isStarting, extraDelay: 0)
  }

  func move(_ pcm: any PCM) throws(PCMFault) -> Bool {
    let status = try pcm.status()
    margin.pass(Double(pcm.format.periodCount) / Double(pcm.format.sampleRate))
    let capacity = pcm.format.bufferCount
    var fill = max(0, capacity - status.available)
    let hasMoved = written - fill != played
    played = written - fill
    let wasStarting = offset.isStarting
    offset.observe(delay: status.delay, fill: fill, rate: pcm.format.sampleRate, hasMoved: hasMoved)
    pcm.movesPhase = offset.isStarting
    let offset = offset.value ?? 0
    let position = consumed - status.delay + offset
    if self.offset.isStarting {
      if fill < levels.target { try writeSilence(levels.highest - fill, to: pcm) }
      if samples.isFinished { finish(fill: fill, period: pcm.format.periodCount) }
      return hasMoved
    } else if wasStarting {
      startPlayed = played
      interrupt(at: position, status.timeNanoseconds)
    } else if clock.observe(position: Double(position), atNanoseconds: status.timeNanoseconds) {
      model.epoch += 1
    }
    progress.pointee.moved.store(max(0, played - startPlayed), ordering: .relaxed)
    if skipExcess(fill: fill, rate: pcm.format.sampleRate) {
      interrupt(at: consumed - status.delay + offset, status.timeNanoseconds)
    }
    let moved = try moveSound(atMost: max(0, levels.highest - fill), to: pcm)
    fill += moved
    let isEnding = samples.isFinished && samples.readableCount == 0
    if isEnding { finish(fill: fill, period: pcm.format.periodCount) }
    if fill < levels.lowest {
      if isSounding, !isEnding {
        progress.pointee.underruns.wrappingAdd(1, ordering: .relaxed)
        margin.noteInterruption()
        setLevels(pcm.format)
        progress.pointee.inserted.wrappingAdd(levels.target - fill, ordering: .relaxed)
      }
      isSounding = false
      let silence = levels.target - fill
      try writeSilence(silence, to: pcm)
      interrupt(at: consumed - (status.delay + moved + silence) + offset, status.timeNanoseconds)
    }
    publish(isOpen: true, extraDelay: max(0, offset))
    return hasMoved
  }

  func end() {
    publish(isOpen: false, extraDelay: 0)
    if samples.isFinished { complete() }
  }

  /// Sets the levels of the device's buffer, for the present margin.
  private func setLevels(_ format: PCMFormat) {
    levels = BufferLevels(format, margin: margin.seconds)
    model.target = levels.target
    model.periodCount = format.periodCount
  }

  /// Continues at another position, to which the tick aligns its next frame.
  private func interrupt(at position: Int, _ time: Int) {
    clock.resetPosition()
    clock.observe(position: Double(position), atNanoseconds: time)
    model.epoch += 1
  }

  private func publish(isOpen: Bool, extraDelay: Int) {
    model.update(from: clock, isOpen: isOpen, extraDelay: extraDelay)
    models.write(model)
    progress.pointee.skew.store(Int(clock.skew * 1e12), ordering: .relaxed)
  }

  /// Leaves out sound that has waited for too long, behind a stall of the device or the ticks.
  ///
  /// - Returns: Whether there was any.
  private func skipExcess(fill: Int, rate: Int) -> Bool {
    let waiting = samples.readableCount / channelCount
    guard fill + waiting > levels.target + rate * Self.skipMilliseconds / 1_000 else { return false }
    let count = min(waiting, fill + waiting - levels.target - rate / 100)
    discard(count)
    progress.pointee.dropped.wrappingAdd(count, ordering: .relaxed)
    isSkipping = true
    return true
  }

  private func discard(_ count: Int) {
    samples.release(samples.peek(upTo: count * channelCount).count)
    consumed += count
  }

  /// Moves sound out of the ring into the device.
  ///
  /// - Returns: Samples per channel moved.
  private func moveSound(atMost room: Int, to pcm: any PCM) throws(PCMFault) -> Int {
    var moved = 0
    while moved < room {
      let region = samples.peek(upTo: min(taken.count, (room - moved) * channelCount))
      let count = region.count / channelCount
      if count == 0 { break }
      for index in 0..<region.first.count { taken[index] = region.first[index] }
      for index in 0..<region.second.count { taken[region.first.count + index] = region.second[index] }
      samples.release(region.count)
      consumed += count
      soften(count)
      try write(count, to: pcm)
      moved += count
      isSounding = true
    }
    return moved
  }

  /// Fades the edges of `taken`.
  private func soften(_ count: Int) {
    let isSkipping = isSkipping
    self.isSkipping = false
    taken.withUnsafeMutableBufferPointer { samples in
      if isSkipping {
        fade.crossfade(samples.baseAddress!, count: count)
      } else {
        fade.fadeIn(samples.baseAddress!, count: count)
      }
      fade.remember(samples.baseAddress!, count: count)
    }
  }

  /// Writes the fade-out behind the newest sound, and silence.
  private func writeSilence(_ count: Int, to pcm: any PCM) throws(PCMFault) {
    var done = 0
    while done < count {
      let length = min(taken.count / channelCount, count - done)
      taken.withUnsafeMutableBufferPointer { samples in
        if done == 0 {
          fade.writeEnd(to: samples.baseAddress!, count: length)
        } else {
          samples.update(repeating: 0)
        }
        fade.remember(samples.baseAddress!, count: length)
      }
      try write(length, to: pcm)
      done += length
    }
  }

  /// Writes the first samples of `taken`, for which the device has room.
  private func write(_ count: Int, to pcm: any PCM) throws(PCMFault) {
    taken.withUnsafeBufferPointer { input in
      mapped.withUnsafeMutableBufferPointer { output in
        ChannelMapping.map(
          input.baseAddress!, channels: channelCount, to: output.baseAddress!, channels: pcm.format.channelCount,
          count: count)
      }
    }
    var done = 0
    while done < count {
      let accepted = try mapped.withUnsafeBufferPointer { buffer throws(PCMFault) in
        try pcm.write(buffer.baseAddress! + done * pcm.format.channelCount, count: count - done)
      }
      if accepted == 0 { break }
      done += accepted
    }
    written += done
    if done < count { progress.pointee.dropped.wrappingAdd(count - done, ordering: .relaxed) }
  }

  /// Counts down the device's buffer behind the last sample of all.
  private func finish(fill: Int, period: Int) {
    guard let last = left else {
      left = isSounding ? fill : 0
      return
    }
    left = last - period
    if last - period <= 0 { complete() }
  }

  private func complete() { completion.ring() }
}
