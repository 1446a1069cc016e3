

def test_the_method_that_a_call_is() -> None:
    points, at = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]), np.array([[0.3, 0.4], [0.6, 0.7]])
    values = np.array([1.0, 2.0, 3.0, 5.0])

    def by_name(v: Any) -> Any:
        return np.sum(si.LinearNDInterpolator(points, v).__call__(at) ** 2)

    def called(v: Any) -> Any:
        return np.sum(si.LinearNDInterpolator(points, v)(at) ** 2)

    assert np.any(zg.gradient(called, values)[0])
    np.testing.assert_allclose(zg.gradient(by_name, values)[0], zg.gradient(called, values)[0])
