// SPDX-License-Identifier: MIT

#if RxSwift
import Foundation
import ReactiveSuite
import RxMoya
@preconcurrency import RxSwift
import Testing

@Suite(.timeLimit(.minutes(1)))
struct OperatorTests {
    private let provider = MoyaProvider<Page>(stubClosure: MoyaProvider.immediatelyStub)
    private let page = Page(URL(fileURLWithPath: "/"))

    @Test func `a subscription of the guide's form gets a success`() {
        var codes: [Int] = []

        let disposable = provider.rx.request(page).subscribe { event in
            switch event {
            case .success(let response): codes.append(response.statusCode)
            case .failure(let error): Issue.record("\(error)")
            }
        }

        #expect(codes == [200])
        disposable.dispose()
    }

    @Test func `singles and observables have the same operators`() {
        var texts: [String] = []
        var failures: [Int] = []
        let bag = DisposeBag()
        let single = provider.rx.request(page)
        single.filterSuccessfulStatusCodes().mapString().subscribe(onSuccess: { texts.append($0) }).disposed(by: bag)
        single.asObservable().filter(statusCodes: 200..<300).mapString().subscribe(onNext: { texts.append($0) }).disposed(by: bag)
        single.mapJSON().subscribe(onFailure: { failures.append(($0 as NSError).code) }).disposed(by: bag)
        single.asObservable().map([Int].self).subscribe(onError: { failures.append(($0 as NSError).code) }).disposed(by: bag)
        single.filter(statusCode: 404).subscribe(onFailure: { failures.append(($0 as NSError).code) }).disposed(by: bag)

        #expect(texts == ["sample", "sample"])
        #expect(failures == [MoyaErrorCode.jsonMapping, .objectMapping, .statusCode].map(\.rawValue))
    }

    @Test func `progress is filtered into its share and the response`() {
        var codes: [Int] = []
        var shares: [Double] = []
        let bag = DisposeBag()
        let steps = provider.rx.requestWithProgress(page)
        steps.filterCompleted().subscribe(onNext: { codes.append($0.statusCode) }).disposed(by: bag)
        steps.filterProgress().subscribe(onNext: { shares.append($0) }).disposed(by: bag)

        #expect(codes == [200])
        #expect(shares.isEmpty)
    }
}
#endif
