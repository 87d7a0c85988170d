// SPDX-License-Identifier: MIT

import Foundation
import Moya

// snippet.target
enum Library {
    case books(author: String, page: Int)
    case book(id: Int)
    case add(NewBook)
    case cover(bookID: Int, image: Data)
    case catalogue
}

struct NewBook: Encodable {
    let title: String
    let author: String
}

extension Library: TargetType {
    var baseURL: URL { URL(string: "https://library.example/v1")! }

    var path: String {
        switch self {
        case .books, .add: "/books"
        case .book(let id): "/books/\(id)"
        case .cover(let bookID, _): "/books/\(bookID)/cover"
        case .catalogue: "/catalogue.pdf"
        }
    }

    var method: Moya.Method {
        switch self {
        case .books, .book, .catalogue: .get
        case .add, .cover: .post
        }
    }

    var task: Moya.Task {
        switch self {
        case .books(let author, let page):
            .requestParameters(parameters: ["author": author, "page": page], encoding: URLEncoding.queryString)
        case .book:
            .requestPlain
        case .add(let book):
            .requestJSONEncodable(book)
        case .cover(_, let image):
            .uploadMultipartFormData([
                MultipartFormBodyPart(provider: .data(image), name: "cover", fileName: "cover.jpg", mimeType: "image/jpeg")
            ])
        case .catalogue:
            .downloadDestination { temporaryURL, response in
                let folder = temporaryURL.deletingLastPathComponent()
                return (folder.appendingPathComponent("catalogue.pdf"), [.removePreviousFile])
            }
        }
    }

    var headers: [String: String]? { ["Accept": "application/json"] }
    var validationType: ValidationType { .successCodes }
}
// snippet.end

// snippet.options
extension Library: RequestOptionsProviding {
    var timeoutInterval: TimeInterval? {
        if case .catalogue = self { 300 } else { nil }
    }
}
// snippet.end

// snippet.sample
extension Library {
    var sampleData: Data {
        switch self {
        case .book: Data(#"{"id": 1, "title": "The Waves"}"#.utf8)
        default: Data("[]".utf8)
        }
    }
}
// snippet.end

// snippet.multi
let anything = MoyaProvider<MultiTarget>()

func firstBook() async throws -> Response {
    try await anything.request(MultiTarget(Library.book(id: 1)))
}
// snippet.end
