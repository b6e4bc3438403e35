/// Looks for a stream's device while the chosen one is not in use: for that one, or else for the default one.
///
/// It tries the chosen device at each change of the system's devices, and now and then, for some devices come without
/// notice. Thread: the device thread.
struct DeviceSearch {
  /// Device that the stream uses.
  enum Use {
    case none
    case fallback
    case chosen
  }

  /// A device for the stream.
  struct Found {
    let pcm: any PCM
    let isFallback: Bool
  }

  private static let retryNanoseconds = 1_000_000_000
  private static let fallbackRetryNanoseconds = 10_000_000_000
  /// Longest opening of the chosen device before the default one takes its place.
  private static let patienceNanoseconds = 500_000_000

  let host: any DeviceHost
  /// Name of the chosen device.
  let chosen: String
  private let direction: AudioDirection
  private let request: PCMRequest
  private let fallsBack: Bool

  private var seenChanges: Int
  private var nextTry = 0
  private var opening: DeviceOpening?
  private var openingStart = 0
  private var fallbackOpening: DeviceOpening?
  private var nextFallbackTry = 0
  /// Reason why the chosen device could not be used the last time.
  private var refusal: DeviceError?
  private var hasFailed = false

  init(_ host: any DeviceHost, _ chosen: String, _ direction: AudioDirection, _ request: PCMRequest, fallsBack: Bool) {
    self.host = host
    self.chosen = chosen
    self.direction = direction
    self.request = request
    self.fallsBack = fallsBack && chosen != "default"
    seenChanges = host.changeCount
  }

  /// Opens the chosen device now; nothing takes its place.
  func open() throws(DeviceError) -> any PCM { try host.open(chosen, direction, request) }

  /// Tries the chosen device at the next `find`.
  mutating func restart() { nextTry = 0 }

  /// Returns the next device to use; nil if there is none yet. Opening lasts as long as it takes, beside the caller.
  mutating func find(instead use: Use, _ now: Int) -> Found? {
    if use == .chosen { return nil }
    beginOpening(instead: use, now)
    switch opening?.take() {
    case .success(let pcm):
      opening = nil
      return Found(pcm: pcm, isFallback: false)
    case .failure(let error):
      opening = nil
      refusal = error
    case nil: break
    }
    if use == .fallback { return nil }
    let isLate = opening != nil && now - openingStart >= Self.patienceNanoseconds
    if fallsBack, fallbackOpening == nil, refusal != nil || isLate, now >= nextFallbackTry {
      fallbackOpening = DeviceOpening(host, "default", direction, request)
      nextFallbackTry = now + Self.retryNanoseconds
    }
    guard let result = fallbackOpening?.take() else { return nil }
    fallbackOpening = nil
    return (try? result.get()).map { Found(pcm: $0, isFallback: true) }
  }

  /// Notes that a found device is in use.
  mutating func accept(isFallback: Bool, _ now: Int) {
    hasFailed = false
    nextTry = now + (isFallback ? Self.fallbackRetryNanoseconds : Self.retryNanoseconds)
    if !isFallback { refusal = nil }
    fallbackOpening?.abandon()
    fallbackOpening = nil
  }

  /// Notes that a found device cannot be used.
  mutating func refuse(_ error: DeviceError, isFallback: Bool, _ now: Int) {
    if !isFallback { refusal = error }
    nextTry = now + Self.retryNanoseconds
  }

  /// Returns, once, why no device can be used; nil while one still may.
  mutating func takeFailure(_ now: Int) -> DeviceError? {
    let isSilent = opening != nil && now - openingStart >= StreamRun.openLimitMilliseconds * 1_000_000
    guard !hasFailed, fallbackOpening == nil, refusal != nil || isSilent else { return nil }
    hasFailed = true
    return refusal ?? .silent(chosen)
  }

  /// Ends the search.
  mutating func end() {
    opening?.abandon()
    fallbackOpening?.abandon()
    (opening, fallbackOpening) = (nil, nil)
  }

  private mutating func beginOpening(instead use: Use, _ now: Int) {
    let changes = host.changeCount
    guard opening == nil, changes != seenChanges || now >= nextTry else { return }
    seenChanges = changes
    nextTry = now + (use == .fallback ? Self.fallbackRetryNanoseconds : Self.retryNanoseconds)
    opening = DeviceOpening(host, chosen, direction, request)
    openingStart = now
  }
}
