public import Platform

/// Simulated sound devices: a laboratory for clocks that drift, threads that are late, and devices that vanish.
///
/// On a virtual clock, `run` wakes the devices in the order of their times, on the caller's thread. A day passes in
/// minutes, and the same seed gives the same samples. On the system's clock each device has a thread of its own, as
/// real ones do.
///
/// ```swift
/// let clock = VirtualClock()
/// let devices = VirtualDevices(clock: clock, seed: 1)
/// devices.plug(VirtualDevice(id: "mic", direction: .capture, skewPartsPerMillion: 200))
/// devices.setSignal(of: "mic") { time in time.truncatingRemainder(dividingBy: 0.002) < 0.001 ? 0.5 : -0.5 }
/// let pipeline = try AudioPipeline(mode: .offline)
/// try pipeline.setLocalSource(.device("mic", of: devices))
/// try pipeline.startStepping(isEndless: true)
/// for tick in 0..<1_000 {
///   devices.run(untilNanoseconds: tick * 10_000_000)
///   pipeline.step(atNanoseconds: tick * 10_000_000)
/// }
/// pipeline.finishStepping()
/// ```
/// Thread: any; `run` on one at a time.
public final class VirtualDevices: DeviceHost, @unchecked Sendable {
  // SAFETY (@unchecked Sendable): everything mutable is guarded; `streams` are driven by the one thread that runs.

  private let virtualClock: VirtualClock?
  package let clock: any EngineClock
  private let seed: UInt64
  private let state = Guarded(State())

  private struct State: Sendable {
    var ports: [String: Guarded<VirtualPort>] = [:]
    /// Names in the order in which devices came; the first that is plugged in is the default one.
    var order: [String] = []
    var changeCount = 0
    var openCount: UInt64 = 0
    var streams: [SteppedStream] = []
  }

  /// Creates a system without devices on a virtual clock.
  public init(clock: VirtualClock, seed: UInt64 = 1) {
    virtualClock = clock
    self.clock = clock
    self.seed = seed
  }

  /// Creates a system without devices on a clock that others move, such as the system's.
  package init(liveClock: any EngineClock, seed: UInt64 = 1) {
    virtualClock = nil
    clock = liveClock
    self.seed = seed
  }

  package var isSimulated: Bool { virtualClock != nil }

  // MARK: Devices

  /// Plugs a device in. One of the same name comes back, with its sound, in the new format.
  public func plug(_ device: VirtualDevice) {
    state.withLock { state in
      var port = VirtualPort(device: device)
      if let old = state.ports[device.id] {
        old.withLock { old in
          port.signal = old.signal
          port.listener = old.listener
          port.stalls = old.stalls
          port.sleeps = old.sleeps
          port.suspensions = old.suspensions
        }
      } else {
        state.order.append(device.id)
      }
      state.ports[device.id] = Guarded(port)
      state.changeCount += 1
    }
  }

  /// Pulls a device out.
  public func unplug(_ id: String) {
    state.withLock { state in
      state.ports[id]?.withLock { $0.isPlugged = false }
      state.changeCount += 1
    }
  }

  /// Whether a program has opened a device.
  package func isOpen(_ id: String) -> Bool { port(id)?.withLock { $0.isOpen } ?? false }

  /// Sets the sound of a microphone: a sample for a time in seconds of the clock.
  public func setSignal(of id: String, _ signal: @escaping @Sendable (Double) -> Float) {
    port(id)?.withLock { $0.signal = signal }
  }

  /// Sets the listener of a loudspeaker: it takes interleaved samples, and the time in seconds at which each is heard.
  public func setListener(
    of id: String, _ listener: @escaping @Sendable (_ samples: [Float], _ time: (Int) -> Double) -> Void
  ) {
    port(id)?.withLock { $0.listener = listener }
  }

  /// Stalls a device from now on: its samples of that time do not exist.
  public func stall(_ id: String, for duration: Duration) {
    let now = clock.nowNanoseconds
    port(id)?.withLock { $0.stalls.append(now..<now + Int(duration / .nanoseconds(1))) }
  }

  /// Suspends a device from now on, as the system does with all of them while the machine sleeps.
  public func suspend(_ id: String, for duration: Duration) {
    let now = clock.nowNanoseconds
    port(id)?.withLock { $0.suspensions.append(now..<now + Int(duration / .nanoseconds(1))) }
  }

  /// Lets the thread of a device sleep from now on, while the device moves on.
  public func delayWakes(of id: String, by duration: Duration) {
    let now = clock.nowNanoseconds
    port(id)?.withLock { $0.sleeps.append(now..<now + Int(duration / .nanoseconds(1))) }
  }

  // MARK: Time

  /// Wakes the devices up to a time, in order, and sets the clock to it. Thread: one at a time.
  public func run(untilNanoseconds end: Int) {
    guard let virtualClock else { return }
    while true {
      let streams = state.withLock { $0.streams }
      guard let next = streams.min(by: { $0.wake < $1.wake }), next.wake <= end else { break }
      virtualClock.wait(untilNanoseconds: next.wake)
      next.service()
    }
    virtualClock.wait(untilNanoseconds: end)
  }

  // MARK: Host

  package var changeCount: Int { state.withLock { $0.changeCount } }

  package func devices() -> [AudioDevice] {
    state.withLock { state in
      var defaults: Set<AudioDirection> = []
      return state.order.compactMap { id in
        guard let port = state.ports[id]?.withLock({ $0 }), port.isPlugged else { return nil }
        let device = port.device
        return AudioDevice(
          id: id, name: id, direction: device.direction, sampleRates: device.sampleRate...device.sampleRate,
          channelCounts: device.channelCount...device.channelCount,
          isDefault: defaults.insert(device.direction).inserted)
      }
    }
  }

  package func pluggedDevices() -> [AudioDevice] { devices() }

  package func open(
    _ id: String, _ direction: AudioDirection, _ request: PCMRequest
  ) throws(DeviceError) -> any PCM {
    let wanted =
      id == "default" ? devices().first { $0.direction == direction && $0.isDefault }?.id : id
    guard let wanted, let port = port(wanted), port.withLock({ $0.isPlugged && $0.device.direction == direction })
    else {
      throw DeviceError(.notFound, "the virtual device '\(id)' does not exist; plug one in")
    }
    let isFree = port.withLock { port in
      defer { port.isOpen = true }
      return !port.isOpen
    }
    guard isFree else { throw DeviceError(.busy, "the virtual device '\(wanted)' is open already; close it first") }
    let number = state.withLock { state in
      state.openCount += 1
      return state.openCount
    }
    return VirtualPCM(
      port.withLock { $0.device }, request: request, port: port, clock: clock,
      random: RandomStream(seed: seed, path: number))
  }

  package func run(_ stream: any ServicedStream, named name: String) throws(ThreadError) -> any RunningStream {
    guard isSimulated else { return try DeviceThread(stream, named: name) }
    let stepped = SteppedStream(stream) { [weak self] ended in
      self?.state.withLock { $0.streams.removeAll { $0 === ended } }
    }
    state.withLock { $0.streams.append(stepped) }
    return stepped
  }

  private func port(_ id: String) -> Guarded<VirtualPort>? { state.withLock { $0.ports[id] } }
}
