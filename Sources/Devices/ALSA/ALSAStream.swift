import CALSA
import Glibc
import Platform

/// An open PCM of ALSA.
///
/// Thread: the device thread.
final class ALSAStream: PCM {
  let device: AudioDevice
  let format: PCMFormat

  private let handle: OpaquePointer
  private let statusHandle: OpaquePointer
  private let direction: AudioDirection
  private let sampleFormat: ALSASampleFormat
  // Samples in the PCM's own layout: one buffer of them.
  private let bytes: UnsafeMutableRawPointer
  private let clock = SystemClock()
  let isServer: Bool
  var movesPhase = false
  /// Time of the next wake-up of a playout stream, in nanoseconds.
  private var nextWake = 0
  private var isClosed = false
  // Plugins of a server that has gone abort the process when they are asked again.
  private var isGone = false
  private var hasWaitFailed = false

  init(_ handle: OpaquePointer, _ device: AudioDevice, _ setup: ALSASetup) {
    self.handle = handle
    self.device = device
    direction = device.direction
    format = setup.format
    isServer = !ALSA.isHardware(handle)
    sampleFormat = setup.sampleFormat
    let byteCount = setup.format.bufferCount * setup.format.channelCount * setup.sampleFormat.byteCount
    bytes = .allocate(byteCount: byteCount, alignment: 16)
    // The PCM `null` reports samples that it has not written.
    bytes.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount)
    var allocated: OpaquePointer?
    precondition(snd_pcm_status_malloc(&allocated) == 0, "the system gives no memory")
    statusHandle = allocated!
  }

  deinit {
    close()
    snd_pcm_status_free(statusHandle)
    bytes.deallocate()
  }

  func start() throws(PCMFault) {
    try checkPresence()
    _ = try result(Int(snd_pcm_start(handle)))
  }

  func status() throws(PCMFault) -> PCMStatus {
    try checkPresence()
    _ = try result(Int(snd_pcm_status(handle, statusHandle)))
    // The call succeeds also for a stream that has stopped.
    if let fault = PCMFault(ALSAState(snd_pcm_status_get_state(statusHandle))) { throw remembered(fault) }
    var time = timespec()
    snd_pcm_status_get_htstamp(statusHandle, &time)
    // A stream that has not moved yet has no time.
    if time.tv_sec == 0 && time.tv_nsec == 0 { clock_gettime(CLOCK_MONOTONIC, &time) }
    let available = min(Int(snd_pcm_status_get_avail(statusHandle)), format.bufferCount)
    let delay = snd_pcm_status_get_delay(statusHandle)
    // Sound servers leave the samples that can be read out of the delay.
    let hidden = direction == .capture && delay < available ? available : 0
    return PCMStatus(
      available: available,
      timeNanoseconds: time.tv_sec * 1_000_000_000 + time.tv_nsec,
      delay: max(0, delay + hidden))
  }

  func read(into samples: UnsafeMutablePointer<Float>, count: Int) throws(PCMFault) -> Int {
    try checkPresence()
    let wanted = min(count, format.bufferCount)
    let moved = try result(snd_pcm_readi(handle, bytes, snd_pcm_uframes_t(wanted)))
    sampleFormat.decode(bytes, samples, count: moved * format.channelCount)
    return moved
  }

  func write(_ samples: UnsafePointer<Float>, count: Int) throws(PCMFault) -> Int {
    try checkPresence()
    let wanted = min(count, format.bufferCount)
    sampleFormat.encode(samples, bytes, count: wanted * format.channelCount)
    return try result(snd_pcm_writei(handle, bytes, snd_pcm_uframes_t(wanted)))
  }

  func recover(from fault: PCMFault) throws(PCMFault) {
    try checkPresence()
    switch fault {
    case .xrun: break
    case .suspended:
      // A resumed stream runs on with its old samples; the next call empties it. Not every device can resume.
      if snd_pcm_resume(handle) == -EAGAIN { throw .suspended }
      _ = snd_pcm_drop(handle)
    case .unplugged, .failed: throw fault
    }
    hasWaitFailed = false
    if snd_pcm_prepare(handle) < 0 {
      // A stream that cannot be prepared has lost its device or server, whatever the errno: libpulse says EIO.
      isGone = true
      throw .unplugged
    }
  }

  func wait(atMostMilliseconds limit: Int) {
    // A sink keeps a period or two in the buffer, not all of it, and the library ends a wait whenever there is room.
    if direction == .playout { return waitForPeriod() }
    let hasFailed = isGone || isClosed || snd_pcm_wait(handle, Int32(clamping: limit)) < 0
    // The first failure ends the wait at once, for the next call reports it. Later ones must not spin.
    if hasFailed && hasWaitFailed { usleep(UInt32(clamping: limit * 1000)) }
    hasWaitFailed = hasFailed
  }

  func close() {
    if isClosed { return }
    isClosed = true
    if !isGone { _ = ALSA.quietly { snd_pcm_drop(handle) } }
    ALSA.close(handle)
  }

  /// Waits a period of the system's clock after the previous wait.
  private func waitForPeriod() {
    let now = clock.nowNanoseconds
    var period = format.periodCount * 1_000_000_000 / format.sampleRate
    if movesPhase { period += period / DelayOffset.phaseCount }
    nextWake = max(nextWake + period, now + period / 4)
    clock.wait(untilNanoseconds: min(nextWake, now + period))
    nextWake = min(nextWake, now + period)
  }

  private func checkPresence() throws(PCMFault) {
    if isGone || isClosed { throw .unplugged }
  }

  /// Returns the count of a call, 0 if the call would have had to wait.
  private func result(_ value: Int) throws(PCMFault) -> Int {
    if value >= 0 { return value }
    guard let fault = PCMFault(error: Int32(-value), ALSAState(snd_pcm_state(handle))) else { return 0 }
    throw remembered(fault)
  }

  private func remembered(_ fault: PCMFault) -> PCMFault {
    if fault == .unplugged { isGone = true }
    return fault
  }
}
