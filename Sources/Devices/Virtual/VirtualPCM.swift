import Glibc
import Platform

/// An open stream of a simulated device.
final class VirtualPCM: PCM {
  let device: AudioDevice
  let format: PCMFormat
  /// Longest wait for a period.
  private static let waitNanoseconds = 100_000_000

  private let settings: VirtualDevice
  private let clock: any EngineClock
  private let port: Guarded<VirtualPort>
  private var random: RandomStream
  private var timeline: DeviceTimeline
  private var isStarted = false
  /// Time of the opening or the newest recovery, in nanoseconds.
  private var readyTime: Int
  /// Samples per channel read or written since the start.
  private var moved = 0
  /// Wake-ups so far since the start.
  private var wakeCount = 0
  private var nextWake: Int
  private var knownStalls = 0
  /// Phases of the two waves of a server's error, in turns.
  private let phases: (Double, Double)

  init(
    _ settings: VirtualDevice, request: PCMRequest, port: Guarded<VirtualPort>, clock: any EngineClock,
    random: RandomStream
  ) {
    self.settings = settings
    self.port = port
    self.clock = clock
    var random = random
    phases = settings.wander > .zero ? (random.unit(), random.unit()) : (0, 0)
    self.random = random
    device = AudioDevice(id: settings.id, name: settings.id, direction: settings.direction)
    let period = settings.sampleRate * request.periodMilliseconds / 1_000
    format = PCMFormat(
      sampleRate: settings.sampleRate, channelCount: settings.channelCount, periodCount: period,
      bufferCount: period * max(request.periodsPerBuffer, 2 * settings.periodsPerBurst))
    nextWake = clock.nowNanoseconds
    readyTime = nextWake
    timeline = DeviceTimeline(start: nextWake, sampleRate: settings.sampleRate, skewPartsPerMillion: 0)
  }

  func start() throws(PCMFault) {
    try checkPlugged()
    isStarted = true
    let now = clock.nowNanoseconds
    timeline = DeviceTimeline(
      start: now, sampleRate: settings.sampleRate, skewPartsPerMillion: settings.skewPartsPerMillion)
    let stalls = port.withLock { $0.stalls }
    for stall in stalls where stall.upperBound > now { timeline.add(max(now, stall.lowerBound)..<stall.upperBound) }
    knownStalls = stalls.count
    if settings.direction == .capture { moved = 0 }
    wakeCount = 0
    planWake()
  }

  func status() throws(PCMFault) -> PCMStatus {
    let now = clock.nowNanoseconds
    if nextWake <= now { planWake() }
    try checkPlugged()
    learnStalls()
    let available = try available(at: now)
    let error = settings.timestampError / .nanoseconds(1)
    let time = now + Int(error * (2 * random.unit() - 1))
    guard settings.wander > .zero, isStarted else {
      return PCMStatus(
        available: available, timeNanoseconds: time,
        delay: settings.direction == .capture ? available : format.bufferCount - available)
    }
    // A server knows its own position to the sample, but for its error; only the buffer moves in periods.
    let exact = timeline.position(at: now - Int(wander(at: now)))
    return PCMStatus(
      available: available, timeNanoseconds: time,
      delay: settings.direction == .capture ? max(available, exact - moved) : moved - exact)
  }

  /// Error of a server's positions at a time, in nanoseconds. Waves of 13 and 5.3 s look like a skew for seconds.
  private func wander(at now: Int) -> Double {
    let seconds = Double(now) * 1e-9
    let waves = 0.6 * sin(2 * .pi * (seconds / 13 + phases.0)) + 0.4 * sin(2 * .pi * (seconds / 5.3 + phases.1))
    return settings.wander / .nanoseconds(1) * waves
  }

  var isServer: Bool { settings.wander > .zero }

  func read(into samples: UnsafeMutablePointer<Float>, count: Int) throws(PCMFault) -> Int {
    let count = min(count, try available(at: clock.nowNanoseconds))
    guard let signal = port.withLock({ $0.signal }) else {
      samples.update(repeating: 0, count: count * format.channelCount)
      moved += count
      return count
    }
    for index in 0..<count {
      let sample = signal(Double(timeline.time(ofPosition: moved + index)) * 1e-9)
      for channel in 0..<format.channelCount { samples[index * format.channelCount + channel] = sample }
    }
    moved += count
    return count
  }

  func write(_ samples: UnsafePointer<Float>, count: Int) throws(PCMFault) -> Int {
    try checkPlugged()
    let count = min(count, isStarted ? try available(at: clock.nowNanoseconds) : format.bufferCount - moved)
    if isStarted, let listener = port.withLock({ $0.listener }) {
      let (first, timeline) = (moved, timeline)
      listener(Array(UnsafeBufferPointer(start: samples, count: count * format.channelCount))) {
        Double(timeline.time(ofPosition: first + $0)) * 1e-9
      }
    }
    moved += count
    return count
  }

  func recover(from fault: PCMFault) throws(PCMFault) {
    let now = clock.nowNanoseconds
    guard !port.withLock({ $0.suspensions.contains { $0.contains(now) } }) else { throw .suspended }
    readyTime = now
    try checkPlugged()
    isStarted = false
    moved = 0
  }

  func wait(atMostMilliseconds limit: Int) {
    let now = clock.nowNanoseconds
    clock.wait(untilNanoseconds: min(nextWake, now + limit * 1_000_000))
  }

  var nextWakeNanoseconds: Int? {
    // A device that is pulled out wakes its thread.
    port.withLock { $0.isPlugged } ? nextWake : clock.nowNanoseconds
  }

  func close() { port.withLock { $0.isOpen = false } }

  private func checkPlugged() throws(PCMFault) {
    guard port.withLock({ $0.isPlugged }) else { throw .unplugged }
    let now = clock.nowNanoseconds
    // A suspended stream stays so until its recovery.
    let isSuspended = port.withLock { $0.suspensions.contains { $0.lowerBound <= now && $0.upperBound > readyTime } }
    if isSuspended { throw .suspended }
  }

  private func available(at now: Int) throws(PCMFault) -> Int {
    guard isStarted else { return settings.direction == .capture ? 0 : format.bufferCount - moved }
    let burst = format.periodCount * settings.periodsPerBurst
    let exact = timeline.position(at: now)
    let position = settings.periodsPerBurst > 1 || settings.wander > .zero ? exact / burst * burst : exact
    let available = settings.direction == .capture ? position - moved : format.bufferCount - (moved - position)
    if available > format.bufferCount { throw .xrun }
    return available
  }

  /// Plans the wake-up for the next period, as late as the thread is.
  private func planWake() {
    let now = clock.nowNanoseconds
    let period = format.periodCount * settings.periodsPerBurst
    if timeline.time(ofPosition: wakeCount * period) <= now {
      wakeCount = max(wakeCount, isStarted ? timeline.position(at: now) / period : 0) + 1
    }
    let lateness = Int(settings.lateness / .nanoseconds(1) * random.unit())
    // A wait for a device that has stalled ends without samples.
    nextWake = min(timeline.time(ofPosition: wakeCount * period), now + Self.waitNanoseconds) + lateness
    for sleep in port.withLock({ $0.sleeps }) where sleep.contains(nextWake) { nextWake = sleep.upperBound }
  }

  /// Takes stalls that have been added since the start.
  private func learnStalls() {
    let stalls = port.withLock { $0.stalls }
    for stall in stalls.dropFirst(knownStalls) { timeline.add(stall) }
    if stalls.count > knownStalls {
      knownStalls = stalls.count
      wakeCount = 0
      planWake()
    }
  }
}
